extension RuleKind {
  /// At most so many Unicode code points, counted after NFC.
  public static let maxLength = RuleKind(
    "max_length", at: [.email, .password, .field], fieldTypes: [.string, .url], shape: .integer(1...4096),
    parameterName: "max", classes: .lengths
  ) { rule, judged in
    guard case .integer(let max) = rule.parameter else { return .undecidable("no length in the rule") }
    return judged.length <= max ? .pass : .fail("too long")
  }
}
