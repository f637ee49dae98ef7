extension Evaluation {
  /// The access the account has once the door has opened, and what it lacks.
  mutating func judgeAccess() {
    guard decision.allow else { return }
    if createsAccount {
      guard let email = decision.normalised.email else { return }
      for field in owed { require("profile:" + field) }
      judgeRequirements(newUser(email))
    } else if door == .signIn {
      guard let stored = facts.stored else { return }
      judgeRequirements(stored)
    } else if let user = changedUser() {
      // The same computation as at the next sign-in, on the account as it will be.
      var after = Evaluation(
        policy: policy, door: .signIn, facts: Facts(stored: user, session: facts.session), instant: instant,
        source: source, hasWords: false)
      let later = after.run()
      (decision.access, decision.next, decision.offers) = (later.access, later.next, later.offers)
    }
  }

  mutating func require(_ step: String) {
    if !decision.next.contains(step) { decision.next.append(step) }
  }

  private mutating func judgeRequirements(_ user: StoredFacts) {
    for requirement in policy.access.full { judge(requirement, user) }
    judgeFactors(user)
    decision.offers = policy.offers(to: user, at: instant)
    decision.access = decision.next.isEmpty ? .full : .limited
  }

  private mutating func judge(_ requirement: Requirement, _ user: StoredFacts) {
    func note(_ verdict: TraceEntry.Verdict, _ why: String) -> TraceEntry {
      TraceEntry(rule: requirement.id, line: requirement.position.line, verdict: verdict, why: why)
    }
    switch requirement.enforcement.mode(at: instant) {
    case .off: decision.trace.append(note(.off, ""))
    case .warn where !isMet(requirement.need, user):
      decision.trace.append(note(.warn, "not met"))
      let message = hasWords ? Catalogue.message(of: requirement.need) : [:]
      let sentence = hasWords ? policy.request(for: requirement.nextStep) ?? message : [:]
      decision.warnings.append(
        Warning(
          rule: requirement.id, pointer: "", params: [:],
          message: message, sentence: sentence,
          enforceFrom: requirement.enforcement.from))
    // GUARD: access: what is not met
    case .enforce where !isMet(requirement.need, user):
      decision.trace.append(note(.fail, "not met"))
      // Without an address there is none to prove: the step is to give one, which its confirmation proves.
      require(requirement.need == .emailVerified && user.email == nil ? "change_email" : requirement.nextStep)
    case .warn, .enforce: decision.trace.append(note(.pass, ""))
    }
  }

  private func isMet(_ need: Requirement.Need, _ user: StoredFacts) -> Bool {
    switch need {
    case .emailVerified: return user.emailVerified
    case .phoneVerified: return user.phoneVerified
    case .mfa: return !user.factors.isEmpty
    case .linked(let name):
      guard let granted = user.links[name] else { return false }
      // GUARD: access: required scopes
      return policy.provider(name)?.missingScopes(granted: granted).isEmpty ?? true
    case .profile(let name):
      return !(user.profile[name] ?? .null).isAbsent
    }
  }

  private func newUser(_ email: String) -> StoredFacts {
    var user = StoredFacts(email: email, profile: decision.normalised.profile, enteredBy: door)
    if facts.bringsPasskey { user.factors = [Factor.passkey.rawValue] }
    if facts.password != nil { user.passwordChangedAt = instant }
    if let provider = facts.provider {
      user.emailVerified = provider.emailVerified && isProviders(email, provider)
      user.links[provider.name] = provider.scopes
    }
    return user
  }

  /// The stored account with this door's values in it; nil where none is known.
  private func changedUser() -> StoredFacts? {
    guard var user = facts.stored else { return nil }
    user.profile.merge(decision.normalised.profile) { $1 }
    if door == .link, let provider = facts.provider { user.links[provider.name] = provider.scopes }
    if door == .setPassword || door == .resetPassword, facts.password != nil {
      (user.mustChangePassword, user.passwordChangedAt) = (false, instant)
    }
    return user
  }

  /// Whether the address is the one the provider vouches for.
  private func isProviders(_ email: String, _ provider: ProviderFacts) -> Bool {
    let source = self.source
    guard let vouched = provider.email,
      let address = EmailAddress(
        vouched, normalize: policy.identifiers.email.normalize, asciiDomain: { source.asciiDomain($0) })
    else { return false }
    return Text.same(address.text, email)
  }
}
