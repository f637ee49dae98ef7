extension RuleKind {
  /// At least so many Unicode code points, counted after NFC.
  public static let minLength = RuleKind(
    "min_length", at: [.password, .field], fieldTypes: [.string], shape: .integer(1...1024), parameterName: "min",
    meaning: "A minimum length in Unicode code points.", strictness: .moreIsStricter(least: 1), classes: .lengths,
    texts: [
      RuleText(
        .password, "At least {min} characters", "Al menos {min} caracteres",
        sentence: .init(
          "Password must be at least {min} characters.", "La contraseña debe tener al menos {min} caracteres.",
          one: ["en": "Password must be at least 1 character.", "es": "La contraseña debe tener al menos 1 carácter."])),
      RuleText(
        .field, "At least {min} characters", "Al menos {min} caracteres",
        sentence: .init(
          "{field} must be at least {min} characters.", "El campo «{field}» debe tener al menos {min} caracteres.",
          one: [
            "en": "{field} must be at least 1 character.", "es": "El campo «{field}» debe tener al menos 1 carácter.",
          ])),
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
