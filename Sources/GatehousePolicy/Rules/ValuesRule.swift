extension RuleKind {
  /// One of these texts, exactly.
  public static let values = RuleKind(
    "values", at: [.field], fieldTypes: [.enum], shape: .texts, parameterName: "values",
    meaning: "One of these words.", strictness: .fewerWordsAreStricter, classes: .words,
    texts: [
      RuleText(
        .field, "One of {values}", "Uno de {values}", "Einer dieser Werte: {values}", "إحدى هذه القيم: {values}",
        sentence: .init(
          "{field} must be one of: {values}.", "El campo «{field}» debe ser uno de estos valores: {values}.",
          "Das Feld „{field}“ muss einen dieser Werte haben: {values}.",
          "يجب أن يكون «{field}» إحدى هذه القيم: {values}.",
          one: .init(
            "{field} must be {values}.", "El campo «{field}» debe ser {values}.",
            "Das Feld „{field}“ muss {values} sein.", "يجب أن يكون «{field}»: {values}.")))
    ]
  ) { rule, judged in
    guard case .texts(let values) = rule.parameter else { return .undecidable("no values in the rule") }
    let text = judged.text
    return values.contains { Text.same($0, text) } ? .pass : .fail("not one of the values")
  }
}

extension Rule {
  /// The words of an enumeration; nil for a rule of another kind.
  package var values: [String]? { texts(of: .values) }
}

extension RuleClasses {
  /// Each word, and one that is none of them.
  fileprivate static let words = RuleClasses { rule, _ in
    guard case .texts(let words) = rule.parameter else { return [] }
    var other = "another"
    while words.contains(other) { other += "z" }
    return words.map { Witness(.field(.string($0)), "the value \($0)") }
      + [Witness(.field(.string(other)), "none of the values")]
  } classify: { rule, value, context in
    guard case .texts(let words) = rule.parameter, let text = context.seenText(value) else { return nil }
    return words.contains { Text.same($0, text) } ? text : "none of the values"
  }
}
