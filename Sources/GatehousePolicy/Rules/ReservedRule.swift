extension RuleKind {
  /// The value is none of these words, compared without case.
  public static let reserved = RuleKind(
    "reserved", at: [.field], fieldTypes: [.string], shape: .texts, parameterName: "words"
  ) { rule, judged in
    guard case .texts(let words) = rule.parameter else { return .undecidable("no words in the rule") }
    let folded = Text.folded(judged.text)
    return words.contains { Text.same(Text.folded($0), folded) } ? .fail("a reserved word") : .pass
  }
}
