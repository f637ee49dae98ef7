extension RuleKind {
  /// The password is on no list of known ones.
  public static let notIn = RuleKind(
    "not_in", at: [.password], shape: .word(["common", "breached"]), parameterName: "list", asksSource: true,
    asksList: true,
    meaning: "Is on no list of known passwords.", strictness: .none, classes: .lists,
    texts: [
      RuleText(
        .password, "Not a commonly used password", "No es una contraseña muy usada", "Kein häufig verwendetes Passwort",
        "ليست كلمة مرور شائعة",
        sentence: .init(
          "This password is too well known.", "Esta contraseña es demasiado conocida.",
          "Dieses Passwort ist zu bekannt.", "كلمة المرور هذه معروفة جدًا."))
    ]
  ) { rule, judged in
    guard case .text(let list) = rule.parameter, let isListed = judged.source.isListed(judged.text, list: list) else {
      return .undecidable("no such list here")
    }
    return isListed ? .fail("on the list") : .pass
  }
}

extension Rule {
  /// The name of the list whose passwords it refuses; nil for a rule of another kind.
  package var refusedList: String? {
    guard kind == .notIn, case .text(let name) = parameter else { return nil }
    return name
  }
}

extension RuleClasses {
  fileprivate static let lists = RuleClasses { rule, context in
    guard case .text(let list) = rule.parameter else { return [] }
    return [
      Witness(context.with { $0.lists.insert(list) }, "a password on the list \(list)"),
      Witness(context.with { $0.lists.remove(list) }, "a password not on the list \(list)"),
    ]
  } classify: { rule, value, context in
    guard case .text(let list) = rule.parameter, let password = context.seenPassword(value) else { return nil }
    return password.lists.contains(list) ? "listed" : "not listed"
  }
}
