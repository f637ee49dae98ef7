extension RuleKind {
  /// The password contains neither the local part of the address nor a word of a field.
  public static let notContaining = RuleKind(
    "not_containing", at: [.password], shape: .subjects, parameterName: "subjects")
}
