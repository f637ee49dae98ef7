extension RuleKind {
  /// The estimated strength, 0 to 4.
  public static let minStrength = RuleKind(
    "min_strength", at: [.password], shape: .integer(0...4), parameterName: "min")
}
