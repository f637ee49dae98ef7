extension RuleKind {
  /// No other account holds the value. The store decides, on `Policy.uniqueKey`.
  public static let unique = RuleKind(
    "unique", at: [.field], fieldTypes: [.string, .phone], isImplied: true)
}
