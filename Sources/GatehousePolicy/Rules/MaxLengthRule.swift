extension RuleKind {
  /// At most so many Unicode code points, counted after NFC.
  public static let maxLength = RuleKind(
    "max_length", at: [.email, .password, .field], fieldTypes: [.string, .url], shape: .integer(1...4096),
    parameterName: "max",
    meaning: "A maximum length in Unicode code points.", strictness: .lessIsStricter, classes: .lengths,
    texts: [
      RuleText(
        .email, "At most {max} characters", "{max} caracteres como máximo", "Höchstens {max} Zeichen",
        "عدد الأحرف: {max} على الأكثر",
        sentence: .init(
          "Email must be at most {max} characters.", "El correo debe tener {max} caracteres como máximo.",
          "Die E-Mail-Adresse darf höchstens {max} Zeichen haben.",
          "يجب ألا يزيد عدد أحرف البريد الإلكتروني على {max}.",
          one: .init(
            "Email must be at most 1 character.", "El correo debe tener 1 carácter como máximo.",
            "Die E-Mail-Adresse darf höchstens 1 Zeichen haben.", "يجب ألا يزيد عدد أحرف البريد الإلكتروني على 1."))),
      RuleText(
        .password, "At most {max} characters", "{max} caracteres como máximo", "Höchstens {max} Zeichen",
        "عدد الأحرف: {max} على الأكثر",
        sentence: .init(
          "Password must be at most {max} characters.", "La contraseña debe tener {max} caracteres como máximo.",
          "Das Passwort darf höchstens {max} Zeichen haben.", "يجب ألا يزيد عدد أحرف كلمة المرور على {max}.",
          one: .init(
            "Password must be at most 1 character.", "La contraseña debe tener 1 carácter como máximo.",
            "Das Passwort darf höchstens 1 Zeichen haben.", "يجب ألا يزيد عدد أحرف كلمة المرور على 1."))),
      RuleText(
        .field, "At most {max} characters", "{max} caracteres como máximo", "Höchstens {max} Zeichen",
        "عدد الأحرف: {max} على الأكثر",
        sentence: .init(
          "{field} must be at most {max} characters.", "El campo «{field}» debe tener {max} caracteres como máximo.",
          "Das Feld „{field}“ darf höchstens {max} Zeichen haben.", "يجب ألا يزيد عدد أحرف «{field}» على {max}.",
          one: .init(
            "{field} must be at most 1 character.", "El campo «{field}» debe tener 1 carácter como máximo.",
            "Das Feld „{field}“ darf höchstens 1 Zeichen haben.", "يجب ألا يزيد عدد أحرف «{field}» على 1."))),
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
