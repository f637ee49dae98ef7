extension RuleKind {
  /// No other account holds the value. The store decides, on `Policy.uniqueKey`.
  public static let unique = RuleKind(
    "unique", at: [.field], fieldTypes: [.string, .phone], isImplied: true, classes: .holders)
}

extension RuleClasses {
  fileprivate static let holders = RuleClasses { _, _ in
    [Witness(.taken(true), "a value of another account"), Witness(.taken(false), "a value of no other account")]
  } classify: { _, value, _ in
    guard case .taken(let isTaken) = value else { return nil }
    return isTaken ? "taken" : "free"
  }
}
