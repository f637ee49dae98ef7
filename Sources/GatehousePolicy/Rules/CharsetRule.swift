extension RuleKind {
  /// Every code point is one of these.
  public static let charset = RuleKind(
    "charset", at: [.field], fieldTypes: [.string], shape: .characters, parameterName: "characters")
}
