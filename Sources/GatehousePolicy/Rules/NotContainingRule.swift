extension RuleKind {
  /// The password contains neither the whole local part of the address nor a word of a field; each only counts when
  /// four code points or longer. Compared without case.
  public static let notContaining = RuleKind(
    "not_containing", at: [.password], shape: .subjects, parameterName: "subjects",
    meaning: "Contains neither the address nor a word of these fields.", strictness: .moreWordsAreStricter,
    classes: .subjects,
    texts: [
      RuleText(
        .password, "Does not contain your name or email", "No contiene tu nombre ni tu correo",
        "Enthält weder Ihren Namen noch Ihre E-Mail-Adresse", "لا تحتوي على اسمك أو بريدك الإلكتروني",
        sentence: .init(
          "Password must not contain your name or email.", "La contraseña no debe contener tu nombre ni tu correo.",
          "Das Passwort darf weder Ihren Namen noch Ihre E-Mail-Adresse enthalten.",
          "يجب ألا تحتوي كلمة المرور على اسمك أو بريدك الإلكتروني."))
    ]
  ) { rule, judged in
    guard case .texts(let subjects) = rule.parameter else { return .undecidable("no subjects in the rule") }
    let password = Text.folded(judged.text)
    for subject in subjects {
      // Folding never makes ASCII longer.
      for word in judged.user.words(of: subject) where word.utf8.count >= 4 || !Text.isASCII(word) {
        let folded = Text.folded(word)
        if Text.length(folded) >= 4, Text.contains(password, folded) { return .fail("contains something personal") }
      }
    }
    return .pass
  }
}

extension RuleClasses {
  /// Each subject alone, and none: who contains two is like who contains one.
  fileprivate static let subjects = RuleClasses { rule, context in
    guard case .texts(let subjects) = rule.parameter else { return [] }
    return [Witness(context.with { $0.contains.subtract(subjects) }, "a password with nothing personal")]
      + subjects.map { subject in
        Witness(context.with { $0.contains.insert(subject) }, "a password that contains \(subject)")
      }
  } classify: { rule, value, context in
    guard case .texts(let subjects) = rule.parameter, let password = context.seenPassword(value) else { return nil }
    return password.contains.isDisjoint(with: subjects) ? "none" : "personal"
  }
}
