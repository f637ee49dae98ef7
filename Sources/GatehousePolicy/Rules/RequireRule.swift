extension RuleKind {
  /// A character of a class: uppercase, lowercase, digit or special.
  public static let require = RuleKind(
    "require", at: [.password], shape: .word(["uppercase", "lowercase", "digit", "special"]), parameterName: "class")
}
