extension RuleKind {
  /// A character of a class: uppercase, lowercase, digit or special (see `CharacterClass`).
  public static let require = RuleKind(
    "require", at: [.password], shape: .word(CharacterClass.allCases.map(\.rawValue)), parameterName: "class"
  ) { rule, judged in
    guard case .text(let name) = rule.parameter, let wanted = CharacterClass(rawValue: name) else {
      return .undecidable("no class in the rule")
    }
    return wanted.occurs(in: judged.text) ? .pass : .fail("no character of the class")
  }
}
