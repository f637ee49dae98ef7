extension RuleKind {
  /// The writers of a field: `write: user|user_at_sign_up|admin`.
  public static let write = RuleKind(
    "write", at: [.field], fieldTypes: Set(FieldType.allCases), parameterName: "write", isImplied: true)
}
