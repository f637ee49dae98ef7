import Foundation
import GatehousePolicy
import GatehouseWire

/// The policy's decisions, by the engine of the real server.
extension FakeWorld {
  var policy: Policy { rules.policy }

  /// The decision at a door. Refuses `validation_failed` with every violation, in the policy's order.
  func judge(_ door: Door, _ facts: Facts, of account: FakeUser? = nil, at now: Date) throws -> Decision {
    let decision = decide(door, facts, of: account, at: now)
    guard decision.allow else {
      throw FakeProblem("validation_failed", violations: decision.violations.map { .init($0) })
    }
    return decision
  }

  /// The decision at a door. Earlier passwords are looked at where every other rule has passed.
  private func decide(_ door: Door, _ facts: Facts, of account: FakeUser?, at now: Date) -> Decision {
    let policy = rules.policy(taking: facts.profile)
    let first = policy.decide(door, facts, at: now, using: PasswordHistoryFacts(FakeFacts(), position: nil))
    let count = policy.passwordsCompared(at: door, at: now)
    guard first.allow, count > 0, let account else { return first }
    let known = ([account.password].compactMap(\.self) + account.formerPasswords).prefix(count)
    return policy.decide(door, facts, at: now, using: PasswordHistoryFacts(FakeFacts(), passwords: Array(known)))
  }

  /// The decision about an account that signs in, and the account as it is after it.
  func admit(_ account: FakeUser, password: String?, at now: Date) -> (account: FakeUser, decision: Decision) {
    let facts = Facts(password: password, writer: .user, stored: stored(account))
    let decision = policy.decide(.signIn, facts, at: now, using: FakeFacts())
    var after = account
    if password != nil { after.mustChangePassword = decision.next.contains("change_password") }
    return (after, decision)
  }

  /// The account as the engine sees it. A broken link is none.
  func stored(_ account: FakeUser) -> StoredFacts {
    var links = account.subjects.keys.reduce(into: [String: [String]]()) { $0[$1] = policy.provider($1)?.scopes ?? [] }
    for link in account.links { links[link.provider] = link.isBroken == true ? nil : link.scopes }
    return StoredFacts(
      email: account.email, emailVerified: account.isVerified, profile: account.profile, links: links,
      factors: account.factors, enteredBy: account.enteredBy, mustChangePassword: account.mustChangePassword,
      passwordChangedAt: account.passwordChangedAt, mfaAskedAt: account.mfaAskedAt)
  }

  /// The missing steps to full access in the policy's order, and those that a test asks for besides.
  func needs(_ account: FakeUser, in session: FakeSession?) -> [String] {
    let proofs = session.map { SessionFacts(level: $0.level, secondProofAt: $0.secondAt) }
    let needs = policy.access(of: stored(account), in: proofs, at: now).next
    return needs + account.further.filter { !needs.contains($0) }
  }

  /// The same with the sentence for each; nil where nothing is missing.
  func requirements(_ needs: [String], _ languages: [String]) -> [AccessRequirement]? {
    guard !needs.isEmpty else { return nil }
    return needs.map { need in
      AccessRequirement(need: need, message: policy.request(for: need)?.text(in: languages) ?? need)
    }
  }

  /// Offers of the policy to the account's owner; nil where there is none.
  func offers(to account: FakeUser) -> [String]? {
    settings.hasPasskeyHost && policy.offersPasskey(to: stored(account), at: now) ? ["add_passkey"] : nil
  }

  /// Whether a demand for a second factor binds the account's owner.
  func demandsFactor(of account: FakeUser) -> Bool {
    policy.demands.contains { demand in
      demand.enforcement.mode(at: now) == .enforce && policy.concerns(demand, profile: account.profile)
    }
  }

  /// Refuses a value of a unique field that another account has.
  func demandUnique(_ profile: [String: FieldValue], besides id: String) throws {
    for field in policy.profile.fields {
      guard let key = key(of: field, in: profile),
        accounts.values.contains(where: { $0.id != id && self.key(of: field, in: $0.profile) == key })
      else { continue }
      let violation = policy.violation(of: field.uniqueRule, pointer: field.pointer)
      throw FakeProblem("validation_failed", violations: [.init(violation)])
    }
  }

  private func key(of field: Field, in profile: [String: FieldValue]) -> String? {
    profile[field.name].flatMap { policy.uniqueKey(for: field.name, value: $0) }
  }

  /// A profile as an import or an administrator stores it: values in the form of their fields, and defaults. A value
  /// that the policy refuses stays as given, as one of an earlier policy would.
  func imported(_ given: [String: FieldValue], email: String, at now: Date) -> [String: FieldValue] {
    let facts = Facts(email: email, profile: given, writer: .system)
    let kept = decide(.import, facts, of: nil, at: now).normalised.profile
    return given.merging(kept) { $1 }.filter { $0.value != .null }
  }

  /// The fields of a profile that a viewer sees, with the defaults of today.
  func visible(_ profile: [String: FieldValue], to viewer: Viewer) -> [String: FieldValue] {
    let fields = rules.policy(taking: profile).profile.fields.filter { $0.isVisible(to: viewer) }
    return fields.reduce(into: [:]) { $0[$1.name] = profile[$1.name] ?? $1.defaultValue }
  }

  /// Failures that do not block, as answers carry them.
  func warnings(_ decision: Decision, _ languages: [String]) -> [RuleWarning] {
    decision.warnings.map { warning in
      RuleWarning(
        rule: warning.rule, message: warning.message.text(in: languages) ?? warning.rule,
        sentence: warning.sentence.text(in: languages), enforceFrom: warning.enforceFrom?.description)
    }
  }

  /// Refuses `not_found` where no person has a password.
  func demandPassword() throws {
    guard policy.hasPassword else { throw FakeProblem("not_found") }
  }

  /// Refuses `not_found` for a provider that the policy does not have, or has for another use.
  func demand(_ provider: String, for use: Provider.Use? = nil) throws {
    guard !rules.takesAnyField else { return }
    guard provider != "password", let found = policy.provider(provider), use == nil || found.use == use else {
      throw FakeProblem("not_found")
    }
  }
}
