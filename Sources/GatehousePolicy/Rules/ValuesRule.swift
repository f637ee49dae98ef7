extension RuleKind {
  /// One of these texts, exactly.
  public static let values = RuleKind(
    "values", at: [.field], fieldTypes: [.enum], shape: .texts, parameterName: "values")
}
