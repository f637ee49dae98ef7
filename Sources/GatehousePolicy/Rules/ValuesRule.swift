extension RuleKind {
  /// One of these texts, exactly.
  public static let values = RuleKind(
    "values", at: [.field], fieldTypes: [.enum], shape: .texts, parameterName: "values", classes: .words
  ) { rule, judged in
    guard case .texts(let values) = rule.parameter else { return .undecidable("no values in the rule") }
    let text = judged.text
    return values.contains { Text.same($0, text) } ? .pass : .fail("not one of the values")
  }
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
