extension RuleKind {
  /// The estimated strength, 0 to 4.
  public static let minStrength = RuleKind(
    "min_strength", at: [.password], shape: .integer(0...4), parameterName: "min", asksSource: true,
    meaning: "Estimated strength, 0 to 4 (zxcvbn).", strictness: .moreIsStricter(least: 0), classes: .strengths,
    texts: [
      RuleText(
        .password, "Hard to guess", "Difícil de adivinar", "Schwer zu erraten", "يصعب تخمينها",
        sentence: .init(
          "Password is too easy to guess.", "La contraseña es demasiado fácil de adivinar.",
          "Das Passwort ist zu leicht zu erraten.", "كلمة المرور سهلة التخمين."))
    ]
  ) { rule, judged in
    guard case .integer(let min) = rule.parameter,
      let strength = judged.source.strength(of: judged.text, inputs: judged.user.inputs)
    else { return .undecidable("no estimate here") }
    return strength >= min ? .pass : .fail("too easy to guess")
  }
}

extension Rule {
  /// The lowest estimate that it admits; nil for a rule of another kind.
  package var leastStrength: Int64? { integer(of: .minStrength) }
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
