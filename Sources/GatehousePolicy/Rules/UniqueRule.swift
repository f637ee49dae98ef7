extension RuleKind {
  /// No other account holds the value. The store decides, on `Policy.uniqueKey`.
  public static let unique = RuleKind(
    "unique", at: [.field], fieldTypes: [.string, .phone], shape: .flag, isImplied: true,
    meaning: "No other account holds the value.", strictness: .none, classes: .holders,
    texts: [
      RuleText(
        .field, "This is already taken", "Ya está en uso", "Das ist bereits vergeben", "هذه القيمة مستخدمة من قبل",
        sentence: .init(
          "{field} is already taken.", "El valor del campo «{field}» ya está en uso.",
          "Der Wert im Feld „{field}“ ist bereits vergeben.", "قيمة «{field}» مستخدمة من قبل."))
    ],
    judge: RuleKind.judgedBeforeRules)
}

extension RuleClasses {
  fileprivate static let holders = RuleClasses { _, _ in
    [Witness(.taken(true), "a value of another account"), Witness(.taken(false), "a value of no other account")]
  } classify: { _, value, _ in
    guard case .taken(let isTaken) = value else { return nil }
    return isTaken ? "taken" : "free"
  }
}
