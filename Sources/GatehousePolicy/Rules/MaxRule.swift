extension RuleKind {
  /// At most this number.
  public static let max = RuleKind(
    "max", at: [.field], fieldTypes: [.integer], shape: .integer(Int64.min...Int64.max), parameterName: "max",
    meaning: "At most this number.", strictness: .lessIsStricter, classes: .bounds,
    texts: [
      RuleText(
        .field, "At most {max}", "{max} como máximo", "Höchstens {max}", "{max} على الأكثر",
        sentence: .init(
          "{field} must be at most {max}.", "El campo «{field}» debe ser {max} como máximo.",
          "Das Feld „{field}“ darf höchstens {max} sein.", "يجب ألا يزيد «{field}» على {max}."))
    ]
  ) { rule, judged in
    guard case .integer(let bound) = rule.parameter, let number = judged.value.integer else {
      return .undecidable("no number")
    }
    return number <= bound ? .pass : .fail("too large")
  }
}

extension Rule {
  /// The largest number that it admits; nil for a rule of another kind.
  package var most: Int64? { integer(of: .max) }
}
