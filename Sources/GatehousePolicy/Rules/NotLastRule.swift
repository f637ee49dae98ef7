extension RuleKind {
  /// The password is none of the last so many.
  public static let notLast = RuleKind(
    "not_last", at: [.password], shape: .integer(1...24), parameterName: "count",
    doors: DoorSet([.setPassword, .resetPassword]))
}
