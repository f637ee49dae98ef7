extension RuleKind {
  /// The profile names only fields of the policy (`unknown_fields: reject`).
  public static let unknown = RuleKind("unknown", at: [.field], isImplied: true)
}
