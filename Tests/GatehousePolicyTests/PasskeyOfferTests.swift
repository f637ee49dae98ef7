import Foundation
import GatehousePolicy
import Testing

@Suite("The offer of a passkey")
struct PasskeyOfferTests {
  private static let day = Day("2027-03-01")

  /// An offer to editors, of a policy with passwords.
  private func policy(
    _ use: [Passkeys.Use] = [.signIn], providers: [String] = ["password"], when: [Admins.Condition]? = nil,
    offers: Bool = true
  ) throws -> Policy {
    var policy = Policy(
      tenant: "t", app: App(name: "T"), identifiers: Identifiers(email: EmailPolicy()),
      password: PasswordPolicy(rules: []),
      profile: ProfilePolicy(fields: [
        Field(name: "role", type: .string, rules: [], write: .admin), Field(name: "own", type: .string, rules: []),
      ]), providers: providers.map { Provider(name: $0, use: .signIn) })
    let upgrade = Passkeys.Upgrade(
      from: try #require(Self.day), when: when ?? [Admins.Condition(field: "role", value: "editor")])
    policy.passkeys = Passkeys(use: use, upgrade: offers ? upgrade : nil)
    return policy
  }

  private func account(
    _ factors: [Factor] = [], role: FieldValue = "editor", hasPassword: Bool = true
  ) -> StoredFacts {
    StoredFacts(
      email: "a@example.com", emailVerified: true, profile: ["role": role, "own": "editor"],
      factors: factors.map(\.rawValue), passwordChangedAt: hasPassword ? winter : nil)
  }

  private func spring() throws -> Date { try #require(Self.day).start }

  @Test("a person with a password and no passkey is offered one")
  func offered() throws {
    #expect(try policy().offersPasskey(to: account([.totp]), at: spring()))
  }

  @Test("before its first day no account is offered one")
  func early() throws {
    #expect(try !policy().offersPasskey(to: account(), at: spring().addingTimeInterval(-1)))
  }

  @Test("a person with a passkey, without a password or of whom a condition does not hold is offered none")
  func others() throws {
    let accounts = [account([.passkey]), account(hasPassword: false), account(role: "reader")]
    #expect(try accounts.filter { try policy().offersPasskey(to: $0, at: spring()) }.isEmpty)
  }

  @Test("without conditions all are offered one")
  func all() throws {
    #expect(try policy(when: []).offersPasskey(to: account(role: "reader"), at: spring()))
  }

  @Test("a condition on a field that people write themselves holds for no account")
  func ownField() throws {
    let own = [Admins.Condition(field: "own", value: "editor")]
    #expect(try !policy(when: own).offersPasskey(to: account(), at: spring()))
  }

  @Test("none is offered where no passkey signs in, no password opens the account, or the policy does not say so")
  func nowhere() throws {
    let policies = [
      try policy([.secondFactor]), try policy(providers: ["google"]), try policy(offers: false),
    ]
    #expect(try policies.filter { try $0.offersPasskey(to: account(), at: spring()) }.isEmpty)
  }

  @Test("the decision at sign-in says it, and asks for nothing more")
  func decision() throws {
    let decision = try policy().decide(
      .signIn, Facts(stored: account(), session: SessionFacts()), at: spring(), using: NoFacts())
    #expect(decision.offers == [.addPasskey] && decision.next == [] && decision.access == .full)
  }

  @Test("a sign-up with a password is offered one at once, and one with a passkey is not")
  func signUp() throws {
    let policy = try policy([.signIn, .signUp], when: [])
    let byPassword = Facts(email: "b@example.com", password: "long enough")
    let byPasskey = Facts(email: "b@example.com", bringsPasskey: true)
    let found = try [byPassword, byPasskey].map {
      policy.decide(.signUp, $0, at: try spring(), using: NoFacts())
    }
    #expect(found.map(\.allow) == [true, true] && found.map(\.offers) == [[.addPasskey], []])
  }

  @Test("a sign-up needs a password, unless a passkey takes its place by the policy")
  func due() throws {
    let facts = [Facts(email: "b@example.com"), Facts(email: "b@example.com", bringsPasskey: true)]
    func allowed(_ use: [Passkeys.Use]) throws -> [Bool] {
      let policy = try policy(use)
      return try facts.map { policy.decide(.signUp, $0, at: try spring(), using: NoFacts()).allow }
    }
    #expect(try allowed([.signIn, .signUp]) == [false, true])
    #expect(try allowed([.signIn]) == [false, false])
  }

  @Test("where passwords are closed, sign-up is open to a passkey by the policy alone")
  func door() throws {
    let open = try policy([.signIn, .signUp], providers: ["google"])
    #expect(!open.isClosed(.signUp, withPassword: false, withPasskey: true))
    #expect(open.isClosed(.signUp, withPassword: true, withPasskey: true))
    #expect(open.isClosed(.signUp, withPassword: false) && open.isClosed(.setPassword, withPassword: true))
    let closed = try policy([.signIn], providers: ["google"])
    #expect(closed.isClosed(.signUp, withPassword: false, withPasskey: true))
  }

  @Test("passkeys of a former relying party prove until its day begins")
  func former() throws {
    let former = Passkeys.FormerParty(id: "old.example", until: try #require(Self.day))
    #expect(try former.proves(at: spring().addingTimeInterval(-1)) && !former.proves(at: spring()))
  }
}
