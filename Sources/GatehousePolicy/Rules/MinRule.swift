extension RuleKind {
  /// At least this number.
  public static let min = RuleKind(
    "min", at: [.field], fieldTypes: [.integer], shape: .integer(Int64.min...Int64.max), parameterName: "min")
}
