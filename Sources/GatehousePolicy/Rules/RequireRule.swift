extension RuleKind {
  /// A character of a class: uppercase, lowercase, digit or special (see `CharacterClass`).
  public static let require = RuleKind(
    "require", at: [.password], shape: .word(CharacterClass.allCases.map(\.rawValue)), parameterName: "class",
    classes: .characterClass
  ) { rule, judged in
    guard case .text(let name) = rule.parameter, let wanted = CharacterClass(rawValue: name) else {
      return .undecidable("no class in the rule")
    }
    return wanted.occurs(in: judged.text) ? .pass : .fail("no character of the class")
  }
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
