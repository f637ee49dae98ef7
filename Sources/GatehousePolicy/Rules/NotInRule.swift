extension RuleKind {
  /// The password is on no list of known ones.
  public static let notIn = RuleKind(
    "not_in", at: [.password], shape: .word(["common", "breached"]), parameterName: "list")
}
