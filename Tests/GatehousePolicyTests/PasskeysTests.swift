import GatehousePolicy
import Testing

@Suite("Passkeys that a policy admits")
struct PasskeysTests {
  private func policy(
    _ passkeys: Passkeys?, factors: [Factor]? = nil, demanding level: AssuranceLevel? = nil
  ) -> Policy {
    var policy = Policy(
      tenant: "t", app: App(name: "T"), identifiers: Identifiers(email: EmailPolicy()),
      password: PasswordPolicy(rules: []), profile: ProfilePolicy(fields: []))
    policy.passkeys = passkeys
    let demands = level.map { [MFA.Demand(id: "mfa.all", level: $0)] } ?? []
    policy.mfa = factors.map { MFA(factors: $0, requiredIf: demands) }
    return policy
  }

  private func account(_ factors: [Factor]) -> StoredFacts {
    StoredFacts(email: "a@example.com", emailVerified: true, factors: factors.map(\.rawValue))
  }

  private func decide(_ policy: Policy, _ factors: [Factor]) -> Decision {
    policy.decide(
      .signIn, Facts(stored: account(factors), session: SessionFacts()), at: winter, using: NoFacts())
  }

  @Test("uses stand in one order, whatever the order of the file")
  func order() {
    #expect(Passkeys(use: [.secondFactor, .signIn]).use == [.signIn, .secondFactor])
  }

  @Test("without the section no passkey has a place, and with it those that it names")
  func places() {
    #expect(!policy(nil).admitsPasskeys && !policy(nil).uses(passkeysFor: .signIn))
    let one = policy(Passkeys(use: [.signIn]))
    #expect(one.admitsPasskeys && one.uses(passkeysFor: .signIn) && !one.uses(passkeysFor: .secondFactor))
  }

  @Test("a passkey to sign in with can be added without second factors, and one that is no such only as a factor")
  func admitted() {
    #expect(policy(Passkeys(use: [.signIn])).admits(.passkey))
    #expect(!policy(Passkeys(use: [.secondFactor]), factors: [.totp]).admits(.passkey))
    #expect(policy(Passkeys(use: [.secondFactor]), factors: [.passkey]).admits(.passkey))
    #expect(!policy(Passkeys(use: [.signIn])).admits(.totp))
  }

  @Test("an account that has such a passkey meets a demand, and one without is asked for a factor")
  func reached() {
    let policy = policy(Passkeys(use: [.signIn]), factors: [.totp], demanding: .phr)
    #expect(policy.reaches(.phr, account([.passkey])) && !policy.reaches(.phr, account([.totp])))
    #expect(decide(policy, []).next == ["enroll_mfa"])
  }

  @Test(
    "a passkey is owed after another proof where it is a second factor, or where the policy says nothing of passkeys",
    arguments: [
      ([.signIn], [.passkey], []), ([.secondFactor], [.passkey], [.passkey]),
      ([.signIn, .secondFactor], [.passkey], [.passkey]), (nil, [.passkey], [.passkey]),
      ([.signIn], [.totp, .passkey], [.totp, .passkey]),
    ] as [([Passkeys.Use]?, [Factor], [Factor])])
  func owed(use: [Passkeys.Use]?, factors: [Factor], challenge: [Factor]) {
    #expect(decide(policy(use.map { Passkeys(use: $0) }), factors).challenge == challenge)
  }

  @Test("a demand makes a passkey owed that is there to sign in with alone")
  func demanded() {
    let policy = policy(Passkeys(use: [.signIn]), factors: [.totp], demanding: .aal2)
    #expect(decide(policy, [.passkey]).challenge == [.passkey])
  }

  @Test("stored people are judged by the same places of passkeys")
  func stored() {
    func access(_ passkeys: Passkeys?) -> Access {
      StoredCheck(policy(passkeys, factors: [.totp], demanding: .aal2), at: winter)
        .judge(account([.passkey]), hasPassword: true, using: NoFacts()).access
    }
    #expect(access(Passkeys(use: [.signIn])) == .full && access(nil) == .limited)
  }

  @Test(
    "an authenticator that no root vouches for is refused where one is asked for",
    arguments: [(nil, true), (true, true), (false, false)] as [(Bool?, Bool)])
  func attested(isAttested: Bool?, isAdmitted: Bool) {
    let policy = policy(Passkeys(use: [.signIn], attestation: .direct))
    let refusal = policy.refusal(ofPasskeySynced: false, attested: isAttested)
    #expect((refusal == nil) == isAdmitted && refusal?.allow != true)
    #expect(refusal?.violations.map(\.rule) == (isAdmitted ? nil : ["passkeys.attestation"]))
  }

  @Test(
    "a passkey that can be synced is refused where the policy says so, and nowhere else",
    arguments: [
      (false, true, false), (false, false, true), (true, true, true), (nil, true, true),
    ] as [(Bool?, Bool, Bool)])
  func synced(allowed: Bool?, isSynced: Bool, isAdmitted: Bool) {
    let policy = policy(allowed.map { Passkeys(use: [.signIn], synced: $0) })
    let refusal = policy.refusal(ofPasskeySynced: isSynced, attested: nil)
    #expect(refusal?.violations.map(\.rule) == (isAdmitted ? nil : ["passkeys.synced"]))
  }

  @Test("refusals have words in every language of the server", arguments: Passkeys.Refusal.allCases)
  func words(refusal: Passkeys.Refusal) throws {
    let policy = policy(Passkeys(use: [.signIn], synced: false))
    let decision = try #require(policy.refusal(ofPasskeySynced: true, attested: refusal == .attestation ? false : nil))
    let violation = try #require(decision.violations.first)
    #expect(violation.rule == refusal.rawValue && violation.pointer == "/credential")
    #expect(["en", "es", "de", "ar"].allSatisfy { violation.message.byLanguage[$0]?.isEmpty == false })
  }
}
