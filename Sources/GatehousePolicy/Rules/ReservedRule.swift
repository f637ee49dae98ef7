extension RuleKind {
  /// The value is none of these words, compared without case; of a field with `charset: letters` also without marks.
  public static let reserved = RuleKind(
    "reserved", at: [.field], fieldTypes: [.string], shape: .texts, parameterName: "words"
  ) { rule, judged in
    guard case .texts(let words) = rule.parameter else { return .undecidable("no words in the rule") }
    // GUARD: letters: reserved without marks
    let fold = judged.ignoresMarks ? Text.foldedWithoutMarks : Text.folded
    let folded = fold(judged.text)
    return words.contains { Text.same(fold($0), folded) } ? .fail("a reserved word") : .pass
  }
}
