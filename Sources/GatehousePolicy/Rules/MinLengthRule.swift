extension RuleKind {
  /// At least so many Unicode code points, counted after NFC.
  public static let minLength = RuleKind(
    "min_length", at: [.password, .field], fieldTypes: [.string], shape: .integer(1...1024), parameterName: "min",
    classes: .lengths
  ) { rule, judged in
    guard case .integer(let min) = rule.parameter else { return .undecidable("no length in the rule") }
    return judged.length >= min ? .pass : .fail("too short")
  }
}
