extension RuleKind {
  /// A character of a class: uppercase, lowercase, digit or special (see `CharacterClass`).
  public static let require = RuleKind(
    "require", at: [.password], shape: .word(CharacterClass.allCases.map(\.rawValue)), parameterName: "class",
    meaning: "A character of a class.", strictness: .none, classes: .characterClass,
    texts: [
      RuleText(
        .password, of: "uppercase", "At least one uppercase letter", "Al menos una mayúscula",
        "Mindestens ein Großbuchstabe", "حرف لاتيني كبير واحد على الأقل",
        sentence: .init(
          "Password must contain at least one uppercase letter.", "La contraseña debe contener al menos una mayúscula.",
          "Das Passwort muss mindestens einen Großbuchstaben enthalten.",
          "يجب أن تحتوي كلمة المرور على حرف كبير واحد على الأقل.")
      ),
      RuleText(
        .password, of: "lowercase", "At least one lowercase letter", "Al menos una minúscula",
        "Mindestens ein Kleinbuchstabe", "حرف لاتيني صغير واحد على الأقل",
        sentence: .init(
          "Password must contain at least one lowercase letter.", "La contraseña debe contener al menos una minúscula.",
          "Das Passwort muss mindestens einen Kleinbuchstaben enthalten.",
          "يجب أن تحتوي كلمة المرور على حرف صغير واحد على الأقل.")
      ),
      RuleText(
        .password, of: "digit", "At least one number", "Al menos un número", "Mindestens eine Ziffer",
        "رقم واحد على الأقل",
        sentence: .init(
          "Password must contain at least one number.", "La contraseña debe contener al menos un número.",
          "Das Passwort muss mindestens eine Ziffer enthalten.", "يجب أن تحتوي كلمة المرور على رقم واحد على الأقل.")
      ),
      RuleText(
        .password, of: "special", "At least one special character", "Al menos un carácter especial",
        "Mindestens ein Sonderzeichen", "رمز خاص واحد على الأقل",
        sentence: .init(
          "Password must contain at least one special character.",
          "La contraseña debe contener al menos un carácter especial.",
          "Das Passwort muss mindestens ein Sonderzeichen enthalten.",
          "يجب أن تحتوي كلمة المرور على رمز خاص واحد على الأقل.")),
    ]
  ) { rule, judged in
    guard case .text(let name) = rule.parameter, let wanted = CharacterClass(rawValue: name) else {
      return .undecidable("no class in the rule")
    }
    return wanted.occurs(in: judged.text) ? .pass : .fail("no character of the class")
  }
}

extension Rule {
  /// The class of which it demands a character; nil for a rule of another kind.
  var requiredClass: CharacterClass? {
    guard kind == .require, case .text(let name) = parameter else { return nil }
    return CharacterClass(rawValue: name)
  }

  /// Whether it demands a character of a class.
  package var isOfClass: Bool { requiredClass != nil }
}

extension RuleClasses {
  fileprivate static let characterClass = RuleClasses { rule, context in
    guard case .text(let name) = rule.parameter, let wanted = CharacterClass(rawValue: name) else { return [] }
    let text = context.password.text
    let with = wanted.occurs(in: text) ? text : text.with(wanted.example)
    return [
      Witness(context.with { $0.text = with }, "a password with a character of class \(name)"),
      Witness(context.with { $0.text = text.without(wanted) }, "a password without a character of class \(name)"),
    ]
  } classify: { rule, value, context in
    guard case .text(let name) = rule.parameter, let wanted = CharacterClass(rawValue: name),
      let text = context.seenText(value)
    else { return nil }
    return text.unicodeScalars.contains(where: wanted.contains) ? "with" : "without"
  }
}
