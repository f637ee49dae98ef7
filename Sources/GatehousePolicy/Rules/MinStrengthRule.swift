extension RuleKind {
  /// The estimated strength, 0 to 4.
  public static let minStrength = RuleKind(
    "min_strength", at: [.password], shape: .integer(0...4), parameterName: "min", asksSource: true
  ) { rule, judged in
    guard case .integer(let min) = rule.parameter,
      let strength = judged.source.strength(of: judged.text, inputs: judged.user.inputs)
    else { return .undecidable("no estimate here") }
    return strength >= min ? .pass : .fail("too easy to guess")
  }
}
