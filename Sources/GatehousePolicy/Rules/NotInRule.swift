extension RuleKind {
  /// The password is on no list of known ones.
  public static let notIn = RuleKind(
    "not_in", at: [.password], shape: .word(["common", "breached"]), parameterName: "list", asksSource: true
  ) { rule, judged in
    guard case .text(let list) = rule.parameter, let isListed = judged.source.isListed(judged.text, list: list) else {
      return .undecidable("no such list here")
    }
    return isListed ? .fail("on the list") : .pass
  }
}
