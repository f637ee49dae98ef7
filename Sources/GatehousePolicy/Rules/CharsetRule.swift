extension RuleKind {
  /// Every code point is one of these.
  public static let charset = RuleKind(
    "charset", at: [.field], fieldTypes: [.string], shape: .characters, parameterName: "characters"
  ) { rule, judged in
    guard case .characters(let set) = rule.parameter else { return .undecidable("no characters in the rule") }
    return set.holds(judged.text) ? .pass : .fail("a character outside the set")
  }
}
