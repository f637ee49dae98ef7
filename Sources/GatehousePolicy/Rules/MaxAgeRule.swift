import Foundation

extension RuleKind {
  /// The password was set no longer ago than this. Judged at sign-in, where it asks for a new one unless `existing:`
  /// says otherwise.
  public static let maxAge = RuleKind(
    "max_age", at: [.password], shape: .duration, parameterName: "seconds", doors: DoorSet([.signIn]),
    existing: .requireAtSignIn,
    meaning: "Was set no longer ago than this.", strictness: .shorterIsStricter, classes: .ages,
    texts: [
      RuleText(
        .password, "It is time for a new password", "Es hora de cambiar la contraseña",
        "Es ist Zeit für ein neues Passwort", "حان وقت تغيير كلمة المرور",
        sentence: .init(
          "It is time for a new password.", "Es hora de cambiar la contraseña.", "Es ist Zeit für ein neues Passwort.",
          "حان وقت تغيير كلمة المرور."))
    ]
  ) { rule, judged in
    guard case .duration(let seconds) = rule.parameter, let changed = judged.passwordChangedAt else {
      return .undecidable("when it was set is not known")
    }
    return judged.instant.timeIntervalSince(changed) <= Double(seconds) ? .pass : .fail("too old")
  }
}

extension RuleClasses {
  fileprivate static let ages = RuleClasses { rule, context in
    guard case .duration(let bound) = rule.parameter else { return [] }
    let ages = [
      (max(0, bound - 86_400), "a day younger than the bound"), (bound, "as old as the bound"),
      (bound + 1, "a second older than the bound"),
    ]
    return ages.map { age, name in Witness(context.with { $0.age = age }, "a password \(name)") }
  } classify: { rule, value, context in
    guard case .duration(let bound) = rule.parameter, let password = context.seenPassword(value) else { return nil }
    return side(of: bound, password.age)
  }
}
