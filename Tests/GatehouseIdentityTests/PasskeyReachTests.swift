import Foundation
import GatehousePolicy
import Testing

@testable import GatehouseIdentity

@Suite("Passkeys that are the only way in")
struct PasskeyReachTests {
  private static let now = Date(timeIntervalSince1970: 1_800_000_000)
  private static let own = HeldPasskey(rpID: "auth.acme.example", isBackupEligible: true)

  private func policy(_ passkeys: Passkeys?, providers: [String] = ["password"]) -> Policy {
    var policy = Policy(
      tenant: "t", app: App(name: "T"), identifiers: Identifiers(), password: PasswordPolicy(rules: []),
      providers: providers.map { Provider(name: $0, use: .signIn) })
    policy.passkeys = passkeys
    return policy
  }

  private func hosts(_ names: [String]) throws -> [TenantHost] {
    try names.map {
      TenantHost(
        host: try #require(HostName($0)), proof: "p", addedAt: Self.now, allowedAt: Self.now, expiresAt: Self.now,
        verifiedAt: Self.now)
    }
  }

  private func reach(
    _ passkeys: Passkeys?, hosts names: [String] = ["auth.acme.example"], at now: Date = now
  ) throws -> PasskeyReach {
    PasskeyReach(policy(passkeys), hosts: try hosts(names), publicURL: "https://id.example", at: now)
  }

  private func moved(until day: String) throws -> Passkeys {
    let former = Passkeys.FormerParty(id: "auth.acme.example", until: try #require(Day(day)))
    return Passkeys(use: [.signIn], rpID: "acme.example", former: former)
  }

  @Test("a passkey of the tenant's host opens a session where passkeys sign in")
  func opens() throws {
    #expect(try reach(Passkeys(use: [.signIn])).opens(Self.own))
    #expect(try !reach(Passkeys(use: [.secondFactor])).opens(Self.own) && !reach(nil).opens(Self.own))
  }

  @Test("one of another relying party opens none, until its day unless it is the former one")
  func parties() throws {
    #expect(try !reach(Passkeys(use: [.signIn], rpID: "acme.example")).opens(Self.own))
    #expect(try reach(moved(until: "2099-01-01")).opens(Self.own))
    #expect(try !reach(moved(until: "2020-01-01")).opens(Self.own))
  }

  @Test("where the policy allows no passkeys that can be synced, one of these opens none")
  func synced() throws {
    let strict = try reach(Passkeys(use: [.signIn], synced: false))
    #expect(!strict.opens(Self.own))
    #expect(strict.opens(HeldPasskey(rpID: Self.own.rpID, isBackupEligible: false)))
  }

  @Test("without a verified host there is no relying party, but in development")
  func noHost() throws {
    let policy = policy(Passkeys(use: [.signIn]))
    func party(_ url: String) -> String? { PasskeyReach(policy, hosts: [], publicURL: url, at: Self.now).party }
    #expect(party("https://id.example") == nil && party("http://localhost:8080") == "localhost")
  }

  @Test(
    "a loss is told with its reason",
    arguments: [
      (nil, "the section passkeys is gone"), (Passkeys(use: [.secondFactor]), "has no sign_in any more"),
      (Passkeys(use: [.signIn], rpID: "acme.example"), "prove nothing at acme.example"),
      (Passkeys(use: [.signIn], synced: false), "refuses those that can be synced"),
    ] as [(Passkeys?, String)])
  func why(candidate: Passkeys?, words: String) throws {
    let loss = try reach(Passkeys(use: [.signIn])).loss(under: reach(candidate))
    #expect(loss?.why.contains(words) == true, "\(String(describing: loss))")
  }

  @Test("another relying party comes with the way to keep the passkeys of before")
  func remedy() throws {
    let loss = try reach(Passkeys(use: [.signIn])).loss(under: reach(Passkeys(use: [.signIn], rpID: "acme.example")))
    #expect(
      loss?.remedy == "write passkeys: {rp_id: acme.example, rp_id_from: {id: auth.acme.example, until: DATE}}")
  }

  @Test("nothing is lost by what refuses no passkey that proved")
  func kept() throws {
    let before = try reach(Passkeys(use: [.signIn]))
    let others = [
      try reach(Passkeys(use: [.signIn, .signUp], verification: .preferred, counter: .refuse)),
      try reach(moved(until: "2099-01-01")),
      try reach(Passkeys(use: [.signIn]), hosts: ["auth.acme.example", "login.acme.example"]),
    ]
    #expect(others.allSatisfy { before.loss(under: $0) == nil })
  }

  // MARK: People

  private func person(
    password: Bool = false, providers: [String] = [], passkeys: [HeldPasskey] = [own], disabled: Bool = false
  ) -> ScannedUser {
    let user = StoredUser(
      id: UserID(UUID()), email: "ann@example.com", disabledAt: disabled ? Self.now : nil, profile: [:],
      createdAt: Self.now, updatedAt: Self.now, passwordChangedAt: password ? Self.now : nil, passkeys: passkeys)
    return ScannedUser(user: user, isActive: true, compliance: nil, signInIdentities: providers)
  }

  /// Whether the person's only way in goes with the passkeys of the policy.
  private func loses(_ person: ScannedUser, providers: [String] = ["password", "google"]) throws -> Bool {
    let policies = [policy(Passkeys(use: [.signIn]), providers: providers), policy(nil, providers: providers)]
    let hosts = try hosts(["auth.acme.example"])
    let ways = policies.map { policy in
      person.waysIn(policy, PasskeyReach(policy, hosts: hosts, publicURL: "https://id.example", at: Self.now))
    }
    return person.losesPasskey(ways[0], ways[1])
  }

  @Test("a person with nothing but a passkey loses the only way in, also where a reset could make a password")
  func alone() throws {
    #expect(try loses(person()))
  }

  @Test("a person with a password or an identity that signs in keeps it")
  func others() throws {
    #expect(try !loses(person(password: true)) && !loses(person(providers: ["google"])))
  }

  @Test("a password that opens nothing, and an identity that does not sign in, are no ways")
  func closed() throws {
    #expect(try loses(person(password: true), providers: ["google"]))
    #expect(try loses(person(providers: ["google"]), providers: ["password"]))
  }

  @Test("a person without a passkey that proved, and one who is disabled, lose none")
  func none() throws {
    let elsewhere = HeldPasskey(rpID: "other.example", isBackupEligible: false)
    #expect(try !loses(person(passkeys: [])) && !loses(person(passkeys: [elsewhere])))
    #expect(try !loses(person(disabled: true)))
  }

  @Test("a reset leads back where the policy has passwords, and a passkey where it has none")
  func back() throws {
    let hosts = try hosts(["auth.acme.example"])
    func ways(_ passkeys: Passkeys?, _ providers: [String]) -> WaysIn {
      let policy = policy(passkeys, providers: providers)
      return person().waysIn(
        policy, PasskeyReach(policy, hosts: hosts, publicURL: "https://id.example", at: Self.now))
    }
    #expect(ways(nil, ["password"]).leadsBack && ways(Passkeys(use: [.signIn]), ["google"]).leadsBack)
    #expect(!ways(nil, ["google"]).leadsBack)
  }
}
