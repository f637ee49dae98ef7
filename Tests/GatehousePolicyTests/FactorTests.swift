import Foundation
import GatehousePolicy
import Testing

@Suite("Second factors that a policy demands")
struct FactorTests {
  private static let day = 86_400.0

  /// Nothing but second factors limits access.
  private func policy(
    _ demands: [MFA.Demand], factors: [Factor] = [.totp, .passkey], grace: Int64 = 0, validFor: Int64? = nil
  ) -> Policy {
    var policy = Policy(
      tenant: "t", app: App(name: "T"), identifiers: Identifiers(email: EmailPolicy()),
      password: PasswordPolicy(rules: []),
      profile: ProfilePolicy(fields: [
        Field(name: "role", type: .string, rules: [], write: .admin), Field(name: "own", type: .string, rules: []),
      ]))
    policy.mfa = MFA(factors: factors, requiredIf: demands, grace: grace, validFor: validFor)
    return policy
  }

  private let all = MFA.Demand(id: "mfa.all")

  private func demand(_ level: AssuranceLevel = .aal2, _ mode: Enforce = .enforce, from: String? = nil) -> MFA.Demand {
    MFA.Demand(id: "mfa.all", level: level, enforcement: Enforcement(mode, from: from.flatMap { Day($0) }))
  }

  private func account(_ factors: [Factor] = [], role: String? = nil, asked: Date? = nil) -> StoredFacts {
    StoredFacts(
      email: "a@example.com", emailVerified: true,
      profile: role.map { ["role": .string($0), "own": .string($0)] } ?? [:], factors: factors.map(\.rawValue),
      mfaAskedAt: asked)
  }

  private func decide(
    _ policy: Policy, _ stored: StoredFacts, _ session: SessionFacts? = nil, at instant: Date = winter
  ) -> Decision {
    policy.decide(.signIn, Facts(stored: stored, session: session), at: instant, using: NoFacts())
  }

  @Test("an account without a factor is asked for one, and keeps limited access until then")
  func demanded() {
    let without = decide(policy([all]), account())
    #expect(without.allow && without.access == .limited && without.next == ["enroll_mfa"])
    #expect(without.verdict("mfa.all") == .fail)
    let with = decide(policy([all]), account([.totp]))
    #expect(with.access == .full && with.next == [] && with.verdict("mfa.all") == .pass)
  }

  @Test("without the section, and without a demand, no account is asked")
  func silent() {
    var none = policy([])
    #expect(decide(none, account()).access == .full)
    none.mfa = nil
    #expect(decide(none, account(), SessionFacts()).access == .full)
  }

  @Test("a demand is about those whose stored profile meets all of its conditions")
  func conditions() {
    let admins = MFA.Demand(id: "mfa.admins", when: [.init(field: "role", value: "admin")])
    #expect(decide(policy([admins]), account(role: "admin")).next == ["enroll_mfa"])
    #expect(decide(policy([admins]), account(role: "member")).next == [])
    #expect(decide(policy([admins]), account()).verdict("mfa.admins") == .notReached)
  }

  @Test("a field that people write themselves ends no demand, because no demand is about it")
  func ownField() {
    let owners = MFA.Demand(id: "mfa.owners", when: [.init(field: "own", value: "admin")])
    #expect(decide(policy([owners]), account(role: "admin")).next == [])
  }

  @Test(
    "a demand that only warns says from when it binds, and one that is off says nothing",
    arguments: [
      ("2027-03-01", "2027-02-28T23:59:59", ["mfa.all"], []), ("2027-03-01", "2027-03-01", [], ["enroll_mfa"]),
      (nil, "2030-01-01", ["mfa.all"], []),
    ] as [(String?, String, [String], [String])])
  func stages(from: String?, at moment: String, warnings: [String], next: [String]) {
    let decision = decide(policy([demand(.aal2, .warn, from: from)]), account(), at: instant(moment))
    #expect(decision.warningIDs == warnings && decision.next == next)
    #expect(decision.warnings.first?.enforceFrom == (warnings.isEmpty ? nil : from.flatMap { Day($0) }))
    #expect(decide(policy([demand(.aal2, .off)]), account(), at: instant(moment)).warnings.isEmpty)
  }

  @Test(
    "in the grace access is full, with a warning that has its last day; it begins now for an account not asked before",
    arguments: [(nil, true), (0, true), (13.9, true), (14, false), (100, false)] as [(Double?, Bool)])
  func grace(days: Double?, isFull: Bool) {
    let asked = days.map { winter.addingTimeInterval(-$0 * Self.day) }
    let decision = decide(policy([all], grace: 14 * 86_400), account(asked: asked))
    #expect(decision.access == (isFull ? .full : .limited) && decision.warnings.isEmpty != isFull)
    let due = Day(of: (asked ?? winter).addingTimeInterval(14 * Self.day))
    #expect(decision.warnings.first?.enforceFrom == (isFull ? due : nil))
  }

  @Test("a shorter grace of today holds for an account that was asked before")
  func shorter() {
    let asked = account(asked: winter.addingTimeInterval(-3 * Self.day))
    #expect(decide(policy([all], grace: 7 * 86_400), asked).access == .full)
    #expect(decide(policy([all], grace: 2 * 86_400), asked).access == .limited)
  }

  @Test(
    "a session below the level of a demand is asked for a proof, whose factor the account has",
    arguments: [
      (AssuranceLevel.aal2, [Factor.totp], AssuranceLevel.aal1, ["verify_mfa"], [Factor.totp]),
      (.aal2, [.totp], .aal2, [], []), (.aal2, [.passkey], .phr, [], []),
      (.phr, [.totp, .passkey], .aal2, ["verify_mfa"], [.passkey]), (.phr, [.passkey], .phr, [], []),
      (.phr, [.totp], .aal2, ["enroll_mfa"], []), (.phr, [.totp], .aal1, ["enroll_mfa"], [.totp]),
    ] as [(AssuranceLevel, [Factor], AssuranceLevel, [String], [Factor])])
  func proofs(
    level: AssuranceLevel, factors: [Factor], session: AssuranceLevel, next: [String], challenge: [Factor]
  ) {
    let decision = decide(policy([demand(level)]), account(factors), SessionFacts(level: session))
    #expect(decision.next == next && decision.challenge == challenge)
  }

  @Test("what no session has proven is not judged")
  func noSession() {
    let decision = decide(policy([all], validFor: 300), account([.totp]))
    #expect(decision.access == .full && decision.challenge == [])
  }

  @Test("an account with a factor owes a proof under any policy, and full access waits for it where it is demanded")
  func owed() {
    var none = policy([])
    none.mfa = nil
    let decision = decide(none, account([.passkey, .totp]), SessionFacts())
    #expect(decision.challenge == [.totp, .passkey] && decision.access == .full)
  }

  @Test("a factor of a kind that the policy admits no more is asked for, and another one is to be added")
  func disallowed() {
    let decision = decide(policy([all], factors: [.totp]), account([.passkey]), SessionFacts())
    #expect(decision.challenge == [.passkey] && decision.next == ["enroll_mfa"])
  }

  @Test(
    "a second proof is good for as long as the policy says, demanded or not; one of unknown time is not",
    arguments: [(0, true), (300, true), (301, false), (nil, false)] as [(Double?, Bool)])
  func age(seconds: Double?, isGood: Bool) {
    let session = SessionFacts(level: .aal2, secondProofAt: seconds.map { winter.addingTimeInterval(-$0) })
    for demands in [[all], []] {
      let decision = decide(policy(demands, validFor: 300), account([.totp]), session)
      #expect(decision.next == (isGood ? [] : ["verify_mfa"]) && decision.challenge == (isGood ? [] : [.totp]))
    }
  }

  @Test("a new account has no factor yet: it is asked as one that exists")
  func signUp() {
    let facts = Facts(email: "a@example.com", password: "Tallgrass-Prairie-2031!")
    let decision = policy([all]).decide(.signUp, facts, at: winter, using: NoFacts())
    #expect(decision.allow && decision.next == ["enroll_mfa"])
    let later = policy([all], grace: 60).decide(.signUp, facts, at: winter, using: NoFacts())
    #expect(later.access == .full && later.warningIDs == ["mfa.all"])
  }

  @Test("the kinds of the section alone can be added, and none without it")
  func admitted() {
    var one = policy([], factors: [.totp])
    #expect(one.admits(.totp) && !one.admits(.passkey))
    one.mfa = nil
    #expect(!one.admits(.totp))
  }

  @Test("stored people are judged by each demand; a factor alone is no loss that only others can mend")
  func storedCheck() throws {
    let check = StoredCheck(policy([all]), at: winter)
    let index = try #require(check.subjects.firstIndex { $0.id == "mfa.all" })
    let without = check.judge(account(), hasPassword: true, using: NoFacts())
    #expect(without.verdicts[index] == .fail && without.access == .limited && !without.isLimitedOtherwise)
    let with = check.judge(account([.totp]), hasPassword: true, using: NoFacts())
    #expect(with.verdicts[index] == .pass)
  }

  @Test("levels are in the order of their strength")
  func levels() { #expect(AssuranceLevel.allCases.sorted() == [.aal1, .aal2, .phr]) }
}

@Suite("The day of an instant")
struct DayOfInstantTests {
  @Test("is that of UTC", arguments: ["1970-01-01", "2000-02-29", "2027-03-01", "2100-02-28", "1999-12-31"])
  func days(text: String) throws {
    let day = try #require(Day(text))
    #expect(Day(of: day.start) == day && Day(of: day.start.addingTimeInterval(86_399)) == day)
    #expect(Day(of: day.start.addingTimeInterval(-1)) != day)
  }

  @Test("is none outside the calendar")
  func none() { #expect(Day(of: .distantPast) == nil && Day(of: Date(timeIntervalSince1970: 1e18)) == nil) }
}
