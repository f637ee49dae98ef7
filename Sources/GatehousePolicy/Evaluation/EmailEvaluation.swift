extension Evaluation {
  /// The address at doors where one can enter.
  mutating func judgeEmail() {
    let given = door == .federatedSignUp || door == .link ? facts.email ?? facts.provider?.email : facts.email
    let isDue: Bool
    switch door {
    case .signUp, .changeEmail, .federatedSignUp, .adminCreate, .invite, .import: isDue = true
    // A reset is asked for with an address; its second half brings a password and perhaps no address.
    case .resetPassword: isDue = facts.password == nil
    case .signIn, .setPassword, .updateProfile, .link, .adminUpdate: isDue = false
    }
    let section = policy.identifiers.email
    guard let given, !given.isEmpty else {
      guard isDue else { return }
      book(section.requiredRule, .fail("no address"), pointer: Pointer.email)
      trace(section.syntaxRule, .notReached, "no address")
      skip(section.effectiveRules, "no address")
      return
    }
    guard door != .setPassword else { return }
    trace(section.requiredRule, .pass)
    let source = self.source
    let address = EmailAddress(given, normalize: section.normalize) { source.asciiDomain($0) }
    guard let address else {
      book(section.syntaxRule, .fail("no address of the usual form"), pointer: Pointer.email)
      skip(section.effectiveRules, "the syntax is wrong")
      return
    }
    trace(section.syntaxRule, .pass)
    decision.normalised.email = address.text
    email = decision.normalised.email
    let judged = judgedAddress(address)
    // An address that comes in where none should is still never freer than at a change of address.
    let door = DoorSet.email.contains(door) ? door : .changeEmail
    for rule in section.effectiveRules where rule.doors.contains(door) {
      guard !isOff(rule) else {
        trace(rule, .off)
        continue
      }
      book(rule, rule.kind.judge(rule, judged), pointer: Pointer.email)
    }
  }

  func judgedAddress(_ address: EmailAddress) -> Judged {
    var judged = Judged(instant: instant, source: source)
    judged.address = address
    judged.text = address.text
    judged.length = judged.text.utf8.count
    return judged
  }
}

extension Policy {
  /// The form an address is stored and looked up in; nil when it is none. `asciiDomain` of `source` is asked only for
  /// domains that are not ASCII.
  public func normalisedEmail(_ raw: String, using source: some FactSource) -> String? {
    EmailAddress(raw, normalize: identifiers.email.normalize) { source.asciiDomain($0) }?.text
  }
}
