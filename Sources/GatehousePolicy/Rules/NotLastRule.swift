extension RuleKind {
  /// The password is none of the last so many.
  public static let notLast = RuleKind(
    "not_last", at: [.password], shape: .integer(1...24), parameterName: "count", asksSource: true,
    doors: DoorSet([.setPassword, .resetPassword])
  ) { rule, judged in
    guard case .integer(let count) = rule.parameter,
      let isReused = judged.source.isReused(judged.text, last: Int(count))
    else { return .undecidable("earlier passwords are not known here") }
    return isReused ? .fail("used before") : .pass
  }
}
