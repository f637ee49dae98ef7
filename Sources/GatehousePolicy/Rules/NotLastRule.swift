extension RuleKind {
  /// The password is none of the last so many. It says nothing of a password that is stored: that one is always the
  /// last.
  public static let notLast = RuleKind(
    "not_last", at: [.password], shape: .integer(1...24), parameterName: "count", asksSource: true,
    doors: DoorSet([.setPassword, .resetPassword]), existing: .atNextChange
  ) { rule, judged in
    guard judged.hasUser else { return .deferred("compared with the person's last passwords when one is set") }
    guard case .integer(let count) = rule.parameter,
      let isReused = judged.source.isReused(judged.text, last: Int(count))
    else { return .undecidable("earlier passwords are not known here") }
    return isReused ? .fail("used before") : .pass
  }
}
