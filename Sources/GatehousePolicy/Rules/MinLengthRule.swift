extension RuleKind {
  /// At least so many Unicode code points, counted after NFC.
  public static let minLength = RuleKind(
    "min_length", at: [.password, .field], fieldTypes: [.string], shape: .integer(1...1024), parameterName: "min",
    meaning: "A minimum length in Unicode code points.", strictness: .moreIsStricter(least: 1), classes: .lengths,
    texts: [
      RuleText(
        .password, "At least {min} characters", "Al menos {min} caracteres", "Mindestens {min} Zeichen",
        "عدد الأحرف: {min} على الأقل",
        sentence: .init(
          "Password must be at least {min} characters.", "La contraseña debe tener al menos {min} caracteres.",
          "Das Passwort muss mindestens {min} Zeichen haben.", "يجب ألا يقل عدد أحرف كلمة المرور عن {min}.",
          one: .init(
            "Password must be at least 1 character.", "La contraseña debe tener al menos 1 carácter.",
            "Das Passwort muss mindestens 1 Zeichen haben.", "يجب ألا يقل عدد أحرف كلمة المرور عن 1."))),
      RuleText(
        .field, "At least {min} characters", "Al menos {min} caracteres", "Mindestens {min} Zeichen",
        "عدد الأحرف: {min} على الأقل",
        sentence: .init(
          "{field} must be at least {min} characters.", "El campo «{field}» debe tener al menos {min} caracteres.",
          "Das Feld „{field}“ muss mindestens {min} Zeichen haben.", "يجب ألا يقل عدد أحرف «{field}» عن {min}.",
          one: .init(
            "{field} must be at least 1 character.", "El campo «{field}» debe tener al menos 1 carácter.",
            "Das Feld „{field}“ muss mindestens 1 Zeichen haben.", "يجب ألا يقل عدد أحرف «{field}» عن 1."))),
    ]
  ) { rule, judged in
    guard case .integer(let min) = rule.parameter else { return .undecidable("no length in the rule") }
    return judged.length >= min ? .pass : .fail("too short")
  }
}

extension Rule {
  /// The fewest code points that it admits; nil for a rule of another kind.
  package var shortest: Int64? { integer(of: .minLength) }
}
