extension RuleKind {
  /// At most so many Unicode code points, counted after NFC.
  public static let maxLength = RuleKind(
    "max_length", at: [.email, .password, .field], fieldTypes: [.string, .url], shape: .integer(1...4096),
    parameterName: "max",
    meaning: "A maximum length in Unicode code points.", strictness: .lessIsStricter, classes: .lengths,
    texts: [
      RuleText(
        .email, "At most {max} characters", "{max} caracteres como máximo",
        sentence: .init(
          "Email must be at most {max} characters.", "El correo debe tener {max} caracteres como máximo.",
          one: ["en": "Email must be at most 1 character.", "es": "El correo debe tener 1 carácter como máximo."])),
      RuleText(
        .password, "At most {max} characters", "{max} caracteres como máximo",
        sentence: .init(
          "Password must be at most {max} characters.", "La contraseña debe tener {max} caracteres como máximo.",
          one: [
            "en": "Password must be at most 1 character.", "es": "La contraseña debe tener 1 carácter como máximo.",
          ])),
      RuleText(
        .field, "At most {max} characters", "{max} caracteres como máximo",
        sentence: .init(
          "{field} must be at most {max} characters.", "El campo «{field}» debe tener {max} caracteres como máximo.",
          one: [
            "en": "{field} must be at most 1 character.", "es": "El campo «{field}» debe tener 1 carácter como máximo.",
          ])),
    ]
  ) { rule, judged in
    guard case .integer(let max) = rule.parameter else { return .undecidable("no length in the rule") }
    return judged.length <= max ? .pass : .fail("too long")
  }
}

extension Rule {
  /// The most code points that it admits; nil for a rule of another kind.
  package var longest: Int64? { integer(of: .maxLength) }
}

extension Rule {
  /// The code points of the longest text that it takes; nil for a rule of another kind.
  package var longestText: Int? {
    guard kind == .maxLength, case .integer(let max) = parameter else { return nil }
    return Int(max)
  }
}
