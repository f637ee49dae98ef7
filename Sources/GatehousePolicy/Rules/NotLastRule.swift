extension RuleKind {
  /// The password is none of the last so many. It says nothing of a password that is stored: that one is always the
  /// last.
  public static let notLast = RuleKind(
    "not_last", at: [.password], shape: .integer(1...24), parameterName: "count", asksSource: true,
    doors: DoorSet([.setPassword, .resetPassword]), existing: .atNextChange,
    meaning: "Is none of the last passwords, the present one included.", strictness: .moreIsStricter(least: 1),
    classes: .places,
    texts: [
      RuleText(
        .password, "None of your last {count} passwords", "Ninguna de tus últimas {count} contraseñas",
        "Keines Ihrer letzten {count} Passwörter", "ليست من كلمات مرورك السابقة (آخر {count})",
        sentence: .init(
          "Password must not be one of your last {count} passwords.",
          "La contraseña no debe ser una de tus últimas {count} contraseñas.",
          "Das Passwort darf keines Ihrer letzten {count} Passwörter sein.",
          "يجب ألا تكون كلمة المرور من كلمات مرورك السابقة (آخر {count}).",
          one: .init(
            "Password must not be your last password.", "La contraseña no debe ser la última que usaste.",
            "Das Passwort darf nicht Ihr letztes sein.", "يجب ألا تكون كلمة المرور هي كلمة مرورك الأخيرة.")))
    ]
  ) { rule, judged in
    guard judged.hasUser else { return .deferred("compared with the person's last passwords when one is set") }
    guard case .integer(let count) = rule.parameter,
      let isReused = judged.source.isReused(judged.text, last: Int(count))
    else { return .undecidable("earlier passwords are not known here") }
    return isReused ? .fail("used before") : .pass
  }
}

extension Rule {
  /// The number of last passwords that it compares with; nil for a rule of another kind.
  package var remembered: Int64? { integer(of: .notLast) }
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
