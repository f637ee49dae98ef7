extension RuleKind {
  /// The estimated strength, 0 to 4.
  public static let minStrength = RuleKind(
    "min_strength", at: [.password], shape: .integer(0...4), parameterName: "min", asksSource: true, classes: .strengths
  ) { rule, judged in
    guard case .integer(let min) = rule.parameter,
      let strength = judged.source.strength(of: judged.text, inputs: judged.user.inputs)
    else { return .undecidable("no estimate here") }
    return strength >= min ? .pass : .fail("too easy to guess")
  }
}

extension RuleClasses {
  /// The estimates next to the bound; at bounds from 0 to 4 others are like them.
  fileprivate static let strengths = RuleClasses { rule, context in
    guard case .integer(let bound) = rule.parameter else { return [] }
    return [Int(bound) - 1, Int(bound), Int(bound) + 1].filter((0...4).contains).map { strength in
      Witness(context.with { $0.strength = strength }, "a password of strength \(strength)")
    }
  } classify: { rule, value, context in
    guard case .integer(let bound) = rule.parameter, let password = context.seenPassword(value) else { return nil }
    return side(of: bound, Int64(password.strength))
  }
}
