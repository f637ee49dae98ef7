extension RuleKind {
  /// The value is none of these words, compared without case.
  public static let reserved = RuleKind(
    "reserved", at: [.field], fieldTypes: [.string], shape: .texts, parameterName: "words")
}
