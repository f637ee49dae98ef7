extension RuleKind {
  /// One of these texts, exactly.
  public static let values = RuleKind(
    "values", at: [.field], fieldTypes: [.enum], shape: .texts, parameterName: "values"
  ) { rule, judged in
    guard case .texts(let values) = rule.parameter else { return .undecidable("no values in the rule") }
    let text = judged.text
    return values.contains { Text.same($0, text) } ? .pass : .fail("not one of the values")
  }
}
