import Foundation

extension Evaluation {
  /// The new password at doors where one is set.
  mutating func judgePassword() {
    let isDue: Bool
    switch door {
    // GUARD: password: due unless a passkey takes its place
    case .signUp: isDue = !(facts.bringsPasskey && policy.uses(passkeysFor: .signUp))
    case .setPassword: isDue = true
    // An invitation, an import or an administrator may bring one; a reset's first half does not.
    case .resetPassword, .adminCreate, .invite, .import: isDue = false
    case .signIn, .changeEmail, .updateProfile, .federatedSignUp, .link, .adminUpdate: return
    }
    let section = policy.password
    guard let given = facts.password, isDue || !given.isEmpty else {
      guard isDue || facts.password != nil else { return }
      return missingPassword()
    }
    guard !given.isEmpty else { return missingPassword() }
    trace(section.requiredRule, .pass)
    // GUARD: password: controls are refused
    guard !TypedText.hasControl(given) else {
      book(section.syntaxRule, .fail("a control character"), pointer: Pointer.password)
      return skip(section.rules, "a control character")
    }
    let judged = judgedPassword(given)
    // A password that an invitation or an import brings is judged as one that is set.
    let door = DoorSet.password.contains(door) ? door : .setPassword
    let isTooLong = section.rules.contains { $0.doors.contains(door) && isRefused($0, judged.length) }
    var complies = true
    for rule in section.rules where rule.doors.contains(door) {
      guard !isOff(rule) else {
        trace(rule, .off)
        continue
      }
      // Estimates and lists are never asked about a password that is refused for its length: their cost grows with it.
      if isTooLong, rule.kind.asksSource {
        trace(rule, .notReached, "too long")
        continue
      }
      if !book(rule, rule.kind.judge(rule, judged), pointer: Pointer.password) { complies = false }
    }
    decision.passwordComplies = complies
  }

  private mutating func missingPassword() {
    book(policy.password.requiredRule, .fail("no password"), pointer: Pointer.password)
    skip(policy.password.rules, "no password")
  }

  /// Whether a bound on the length refuses the password. A bound that only warns, or that an exception lifts, refuses
  /// nothing, and what stands behind it is judged.
  private func isRefused(_ rule: Rule, _ length: Int) -> Bool {
    guard let longest = rule.longest, length > longest else { return false }
    return rule.enforcement.mode(at: instant) == .enforce && exception(from: rule) == nil
  }

  /// Whether the password is longer than any bound that is looked at.
  func isOverlong(_ rule: Rule, _ length: Int) -> Bool {
    guard let longest = rule.longest else { return false }
    return !isOff(rule) && length > longest
  }

  func judgedPassword(_ given: String) -> Judged {
    var judged = Judged(instant: instant, source: source)
    judged.text = TypedText.password(given)
    judged.length = Text.length(judged.text)
    judged.passwordChangedAt = facts.stored?.passwordChangedAt
    judged.hasUser = facts.stored != nil
    judged.user = PasswordSubject(
      email: decision.normalised.email ?? facts.email ?? facts.stored?.email, given: facts.profile,
      provided: facts.provider?.profile ?? [:], stored: facts.stored?.profile ?? [:])
    return judged
  }
}
