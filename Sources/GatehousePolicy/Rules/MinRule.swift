extension RuleKind {
  /// At least this number.
  public static let min = RuleKind(
    "min", at: [.field], fieldTypes: [.integer], shape: .integer(Int64.min...Int64.max), parameterName: "min",
    meaning: "At least this number.", strictness: .moreIsStricter(least: .min), classes: .bounds,
    texts: [
      RuleText(
        .field, "At least {min}", "{min} como mínimo", "Mindestens {min}", "{min} على الأقل",
        sentence: .init(
          "{field} must be at least {min}.", "El campo «{field}» debe ser {min} como mínimo.",
          "Das Feld „{field}“ muss mindestens {min} sein.", "يجب ألا يقل «{field}» عن {min}."))
    ]
  ) { rule, judged in
    guard case .integer(let bound) = rule.parameter, let number = judged.value.integer else {
      return .undecidable("no number")
    }
    return number >= bound ? .pass : .fail("too small")
  }
}

extension Rule {
  /// The smallest number that it admits; nil for a rule of another kind.
  package var least: Int64? { integer(of: .min) }
}
