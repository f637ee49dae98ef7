extension RuleKind {
  /// The local part has no `+tag` (RFC 5233).
  public static let denySubaddress = RuleKind("deny_subaddress", at: [.email])
}
