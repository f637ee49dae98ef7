extension RuleKind {
  /// The address is one (see `EmailAddress`).
  public static let syntax = RuleKind("syntax", at: [.email], isImplied: true)
}
