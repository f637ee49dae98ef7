extension RuleKind {
  /// The password is none of the last so many. It says nothing of a password that is stored: that one is always the
  /// last.
  public static let notLast = RuleKind(
    "not_last", at: [.password], shape: .integer(1...24), parameterName: "count", asksSource: true,
    doors: DoorSet([.setPassword, .resetPassword]), existing: .atNextChange, classes: .places
  ) { rule, judged in
    guard judged.hasUser else { return .deferred("compared with the person's last passwords when one is set") }
    guard case .integer(let count) = rule.parameter,
      let isReused = judged.source.isReused(judged.text, last: Int(count))
    else { return .undecidable("earlier passwords are not known here") }
    return isReused ? .fail("used before") : .pass
  }
}

extension RuleClasses {
  fileprivate static let places = RuleClasses { rule, context in
    guard case .integer(let count) = rule.parameter else { return [] }
    return [
      Witness(context.with { $0.place = 0 }, "the present password"),
      Witness(context.with { $0.place = Int(count) - 1 }, "the last but \(count - 1) password"),
      Witness(context.with { $0.place = Int(count) }, "the last but \(count) password"),
      Witness(context.with { $0.place = nil }, "a password that was never used"),
    ]
  } classify: { rule, value, context in
    guard case .integer(let count) = rule.parameter, let password = context.seenPassword(value) else { return nil }
    return password.place.map { $0 < count ? "one of them" : "an earlier one" } ?? "none"
  }
}
