extension Evaluation {
  /// Door `sign_in`: what rules tightened since mean for a stored account. Nothing here refuses; what can not be
  /// decided is passed over, so that a missing library locks no user out.
  mutating func judgeStored() {
    judgeStoredEmail()
    judgeKnownPassword()
    for field in policy.profile.fields { judgeStored(field) }
    judgeAccess()
  }

  private mutating func judgeStoredEmail() {
    guard let stored = facts.stored?.email else { return }
    let section = policy.identifiers.email
    for rule in section.rules {
      let existing = rule.existing ?? section.existing
      guard existing != .atNextChange, binds(rule) else { continue }
      let source = self.source
      guard
        let address = EmailAddress(stored, normalize: section.normalize, asciiDomain: { source.asciiDomain($0) })
      else { continue }
      let outcome = rule.kind.judge(rule, judgedAddress(address))
      book(rule, outcome, existing: existing, pointer: Pointer.email, next: "change_email")
    }
  }

  private mutating func judgeKnownPassword() {
    // A stored password that opens nothing owes nothing either.
    // GUARD: password door: a stored password owes nothing
    guard policy.hasPassword else { return }
    let section = policy.password
    if facts.stored?.mustChangePassword == true, facts.password == nil,
      section.rules.contains(where: { binds($0) && existing(of: $0) == .requireAtSignIn })
    {
      require("change_password")
    }
    guard let given = facts.password, !given.isEmpty else { return }
    let judged = judgedPassword(given)
    let isTooLong = section.rules.contains { isOverlong($0, judged.length) }
    var complies = true
    for rule in section.rules {
      let mode = rule.enforcement.mode(at: instant)
      guard mode != .off, !(isTooLong && rule.kind.asksSource) else { continue }
      guard rule.doors.contains(.signIn) || existing(of: rule) != .atNextChange else { continue }
      let outcome = rule.kind.judge(rule, judged)
      if case .fail = outcome { complies = false }
      if mode == .warn {
        book(rule, outcome, existing: .promptAtSignIn, pointer: Pointer.password, next: "change_password")
      } else {
        book(rule, outcome, existing: existing(of: rule), pointer: Pointer.password, next: "change_password")
      }
    }
    decision.passwordComplies = complies
  }

  private mutating func judgeStored(_ field: Field) {
    guard let stored = facts.stored else { return }
    let isOpenEntry = stored.enteredBy == .federatedSignUp || stored.enteredBy == .invite
    // Most rules bind at the next change. A value that none of the others is about is not looked at.
    let isAsked = field.rules.contains { rule in
      binds(rule) && (rule.isRequired && isOpenEntry || (rule.existing ?? field.existing) != .atNextChange)
    }
    guard isAsked else { return }
    let typed = field.typed(stored.profile[field.name] ?? .null)
    var judged = Judged(instant: instant, source: source)
    var isAbsent = true
    var isFormed = false
    if case .some(let value) = typed {
      isAbsent = value.isAbsent
      judged.value = value
      judged.ignoresMarks = field.ignoresMarks
      judged.text = value.string ?? ""
      switch field.formatted(judged.text, using: source) {
      case .notNeeded: isFormed = true
      case .good(let text, let region, _):
        judged.text = text
        judged.phoneRegion = region
        isFormed = true
      case .bad, .unknown: break
      }
      judged.length = Text.length(judged.text)
    }
    for rule in field.rules where binds(rule) {
      var existing = rule.existing ?? field.existing
      let outcome: Outcome
      if rule.isRequired {
        if isOpenEntry { existing = .requireAtSignIn }
        outcome = isAbsent && field.defaultValue == nil ? .fail("no value") : .pass
      } else {
        guard !isAbsent, isFormed, existing != .atNextChange else { continue }
        outcome = rule.kind.judge(rule, judged)
      }
      guard existing != .atNextChange else { continue }
      book(rule, outcome, existing: existing, pointer: field.pointer, next: "profile:" + field.name)
    }
  }

  private func binds(_ rule: Rule) -> Bool { rule.enforcement.mode(at: instant) == .enforce }

  private func existing(of rule: Rule) -> Existing {
    rule.existing ?? rule.kind.ownExisting ?? policy.password.existing
  }

  private mutating func book(
    _ rule: Rule, _ outcome: Outcome, existing: Existing, pointer: String, next: String
  ) {
    switch outcome {
    case .pass: trace(rule, .pass)
    case .deferred(let why): trace(rule, .deferred, why)
    case .undecidable(let why): trace(rule, .undecidable, why)
    case .fail(let why, _):
      // GUARD: exception: counts at sign-in
      if let exception = exception(from: rule) { return use(exception, of: rule) }
      switch existing {
      case .atNextChange: trace(rule, .notReached, "binds at the next change")
      case .promptAtSignIn:
        // GUARD: stored: a prompt limits no access
        trace(rule, .warn, why)
        warn(rule, pointer: pointer)
      case .requireAtSignIn:
        trace(rule, .fail, why)
        // GUARD: stored: required at sign-in limits access
        require(next)
      }
    }
  }
}
