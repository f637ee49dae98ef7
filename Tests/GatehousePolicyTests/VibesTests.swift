import GatehousePolicy
import Testing

@Suite("vibes")
struct VibesTests {
  let policy = Policies.vibes()

  func signUp(_ password: String = "TestPass123!", username: FieldValue = "testuser") -> Decision {
    policy.decide(
      .signUp, Facts(email: "t@example.com", password: password, profile: ["username": username]), at: winter,
      using: NoFacts())
  }

  @Test("signed in but not linked yet")
  func notLinked() {
    let decision = signUp()
    #expect(decision.allow && decision.access == .limited)
    #expect(decision.next == ["link:spotify"])
    #expect(decision.verdict("username.unique") == .deferred)
  }

  @Test("seven characters pass with a warning, five do not")
  func seven() {
    #expect(signUp("abc1234").warningIDs == ["password.min8"])
    #expect(signUp("abc12").violationIDs == ["password.min6"])
  }

  @Test("linked with every scope is full, with a scope missing it is not")
  func linked() {
    var stored = StoredFacts(
      email: "t@example.com", profile: ["username": "testuser"], links: ["spotify": Policies.spotifyScopes])
    #expect(policy.access(of: stored, at: winter) == (.full, []))
    stored.links = ["spotify": ["user-read-email"]]
    #expect(policy.access(of: stored, at: winter) == (.limited, ["link:spotify"]))
    stored.links = ["spotify": Array(Policies.spotifyScopes.dropLast())]
    #expect(policy.access(of: stored, at: winter).access == .limited)
  }

  @Test("a requirement that only warns lets people in and says so")
  func warned() {
    let stored = StoredFacts(email: "t@example.com", profile: ["username": "testuser"])
    let lenient = Policies.vibes(spotify: .warn)
    #expect(lenient.access(of: stored, at: winter) == (.full, []))
    let decision = lenient.decide(.signIn, Facts(stored: stored), at: winter, using: NoFacts())
    #expect(decision.warningIDs == ["access.linked:spotify"])
    #expect(decision.warnings.first?.message.text(in: ["en"]) == "Please connect your Spotify account")
    let off = Policies.vibes(spotify: .off).decide(.signIn, Facts(stored: stored), at: winter, using: NoFacts())
    #expect(off.access == .full && off.warnings.isEmpty)
  }

  @Test(
    "usernames",
    arguments: [
      ("ab", ["username.min_length"]), ("has space", ["username.charset"]), ("Admin", ["username.reserved"]),
      ("VIBES", ["username.reserved"]), ("a!", ["username.min_length", "username.charset"]),
      (String(repeating: "x", count: 31), ["username.max_length"]), (String(repeating: "x", count: 30), []),
      ("abc", []), ("a.b_9", []), ("  abc  ", []), ("", ["username.required"]), ("   ", ["username.required"]),
      ("аdmin1", ["username.charset"]), ("abc\u{0}", ["username.type"]), ("abc-d", ["username.charset"]),
    ] as [(String, [String])])
  func usernames(username: String, rules: [String]) {
    #expect(signUp(username: .string(username)).violationIDs == rules)
  }

  @Test("wrong types are named", arguments: [5, true, .unsupported("array"), .unsupported("object")] as [FieldValue])
  func types(value: FieldValue) {
    let decision = signUp(username: value)
    #expect(decision.violationIDs == ["username.type"])
    #expect(decision.verdict("username.required") == .notReached)
  }

  @Test("a taken username is a violation once the store has said so")
  func taken() {
    let facts = Facts(
      email: "t@example.com", password: "TestPass123!", profile: ["username": "testuser"], taken: ["username"])
    let decision = policy.decide(.signUp, facts, at: winter, using: NoFacts())
    #expect(decision.violationIDs == ["username.unique"])
    #expect(policy.uniqueKey(for: "username", value: "TestUser") == "testuser")
    #expect(policy.uniqueKey(for: "username", value: .null) == nil)
    #expect(policy.uniqueKey(for: "nothing", value: "x") == nil)
  }

  @Test("Google user without a username has a next step")
  func google() {
    let facts = Facts(provider: ProviderFacts(name: "google", email: "g@gmail.com", emailVerified: true))
    let decision = policy.decide(.federatedSignUp, facts, at: winter, using: NoFacts())
    #expect(decision.allow && decision.access == .limited)
    #expect(decision.next == ["profile:username", "link:spotify"])
    #expect(decision.normalised.email == "g@gmail.com")
    let bad = Facts(provider: ProviderFacts(name: "google", email: "g@gmail.com", profile: ["username": "x"]))
    #expect(
      policy.decide(.federatedSignUp, bad, at: winter, using: NoFacts()).violationIDs == ["username.min_length"])
    let none = Facts(provider: ProviderFacts(name: "google"))
    #expect(policy.decide(.federatedSignUp, none, at: winter, using: NoFacts()).violationIDs == ["email.required"])
  }

  @Test("a missing field of a federated user stays required, even where the access section does not ask for it")
  func owed() {
    var open = policy
    open.access = AccessPolicy()
    var stored = StoredFacts(email: "g@gmail.com", enteredBy: .federatedSignUp)
    #expect(open.access(of: stored, at: winter) == (.limited, ["profile:username"]))
    let facts = Facts(profile: ["username": "Gina"], stored: stored)
    let decision = open.decide(.updateProfile, facts, at: winter, using: NoFacts())
    #expect(decision.allow && decision.access == .full)
    stored.enteredBy = .signUp
    #expect(open.access(of: stored, at: winter) == (.full, []))
  }
}
