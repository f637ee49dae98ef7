extension RuleKind {
  /// The password was set no longer ago than this. Judged at sign-in.
  public static let maxAge = RuleKind(
    "max_age", at: [.password], shape: .duration, parameterName: "seconds", doors: DoorSet([.signIn]))
}
