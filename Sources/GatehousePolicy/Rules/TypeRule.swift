extension RuleKind {
  /// The value is of the field's type. Reached first.
  public static let type = RuleKind(
    "type", at: [.field], fieldTypes: Set(FieldType.allCases), parameterName: "type", isImplied: true)
}
