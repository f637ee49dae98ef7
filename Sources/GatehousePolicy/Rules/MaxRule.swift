extension RuleKind {
  /// At most this number.
  public static let max = RuleKind(
    "max", at: [.field], fieldTypes: [.integer], shape: .integer(Int64.min...Int64.max), parameterName: "max")
}
