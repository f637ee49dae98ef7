extension RuleKind {
  /// There is a value: not absent, not null and, for text, not empty (after `trim`).
  public static let required = RuleKind(
    "required", at: [.email, .password, .field], fieldTypes: Set(FieldType.allCases))
}
