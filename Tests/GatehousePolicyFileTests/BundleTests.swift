import Foundation
import GatehousePolicy
import GatehouseTesting
import Testing

@testable import GatehousePolicyFile

@Suite("What a bundle holds")
struct BundleTests {
  private static let instants = ["2026-12-01", "2027-03-01", "2028-01-01"]

  private static func policy(_ path: String) throws -> Policy {
    let text = String(decoding: try Repository.bytes(path), as: UTF8.self)
    guard path.contains("Accepted") else { return try read(text).policy }
    switch PolicyFile.read(text, name: path, as: .stored(.first)) {
    case .success(let file): return file.policy
    case .failure(let refusal): throw Unreadable(report: refusal.text())
    }
  }

  /// A policy that judges as its bundle does: addresses of exceptions, second factors and passkeys are in none.
  private func expectSame(_ policy: Policy, requests: Int, _ random: inout SeededGenerator, _ name: String) throws {
    var original = policy
    original.exceptions = []
    original.mfa = nil
    original.passkeys = nil
    let bundled = try Policy(bundle: policy.bundle)
    #expect(bundled.bundle == policy.bundle, "\(name)")
    for section in ["identifiers", "password", "profile", "access", "privacy"] {
      #expect(bundled.canonical(section) == original.canonical(section), "\(name) \(section)")
    }
    #expect(bundled.publicFields == original.publicFields, "\(name)")
    for _ in 0..<requests {
      let door = Door.allCases[Int.random(in: 0..<Door.allCases.count, using: &random)]
      let facts = RandomUsers.facts(original, at: door, &random)
      let instant = date(Self.instants[Int.random(in: 0..<Self.instants.count, using: &random)])
      var expected = original.decide(door, facts, at: instant, using: SmallLists())
      var decision = bundled.decide(door, facts, at: instant, using: SmallLists())
      // Lines of the file are in no bundle.
      for index in expected.trace.indices { expected.trace[index].line = 0 }
      for index in decision.trace.indices { decision.trace[index].line = 0 }
      #expect(decision == expected, "seed \(SeededGenerator.seed): \(name) at \(door) \(instant)")
      #expect(bundled.publicRules(at: instant) == original.publicRules(at: instant), "\(name)")
    }
  }

  @Test(
    "a policy judges as its bundle does",
    arguments: PoliciesTests.paths + AcceptedTests.names.map { "Tests/GatehousePolicyFileTests/Accepted/\($0)" })
  func same(path: String) throws {
    var random = SeededGenerator()
    try expectSame(try Self.policy(path), requests: 60, &random, path)
  }

  @Test("so does everything that a slip makes of a shipped policy", arguments: PoliciesTests.paths)
  func slips(path: String) throws {
    var random = SeededGenerator()
    let file = try read(String(decoding: try Repository.bytes(path), as: UTF8.self))
    let mutants = Mutants(file).all
    #expect(mutants.count > 20)
    for mutant in mutants { try expectSame(mutant.policy, requests: 8, &random, mutant.change) }
  }

  @Test("the comparison would see a rule that is lost")
  func negativeControl() throws {
    var policy = try Self.policy("policies/dd-ride.yaml")
    let whole = policy.bundle
    policy.password.rules.removeAll { $0.id == "password.digit" }
    #expect(try Policy(bundle: whole).canonical("password") != policy.canonical("password"))
  }

  /// Keys of the language that are in no bundle, and why.
  private static let leftOut = [
    "schema": "the bundle has a format of its own", "app.base_url": "where the server is",
    "app.audience": "for backends that verify tokens", "app.bundle_ids": "for browsers and app links",
    "app.origins": "for browsers", "app.continue": "for the hosted pages", "app.open_app": "for the hosted pages",
    "verification.email.link_ttl": "for mailed links", "verification.email.max_sends_per_day": "a limit",
    "providers.*.flow": "how the server talks to a provider", "providers.*.audiences": "an id at a provider",
    "providers.*.nonce": "how the server talks to a provider", "providers.*.client_id": "an id at a provider",
    "providers.*.client_secret": "a secret", "providers.*.redirect_uris": "registered at a provider",
    "providers.*.prompt_for": "for the hosted pages", "providers.*.tokens": "what the server keeps of a provider",
    "providers.*.on_sign_out": "what the server keeps of a provider",
    "providers.*.endpoints": "addresses of a provider",
    "sessions.page_idle_ttl": "for the hosted pages", "sessions.page_max_ttl": "for the hosted pages",
    "sessions.page_shared_computer": "for the hosted pages", "sessions.max_per_user": "a limit",
    "sessions.new_device_notice": "a mail",
    "directory.limit": "a limit", "mail": "the sender of mails", "admins": "the rights of administrators",
    "accounts": "for operators", "mfa": "the server asks for second factors",
    "passkeys": "the server verifies them", "attest": "keys of the app's builds",
    "limits": "limits",
    "theme.logo": "read and used for nothing",
    "messages.pages": "for the hosted pages", "messages.mails": "for mails",
    "exceptions": "addresses of persons",
  ]

  private static func reason(_ word: String) -> String? {
    leftOut.first { word == $0.key || word.hasPrefix($0.key + ".") }?.value
  }

  @Test("every key of the language is in the bundle, or left out for a reason")
  func keys() throws {
    let walk = try TrustTests.walked.get()
    let (bundled, lost) = (walk.bundled, walk.changed.subtracting(walk.bundled))
    #expect(bundled.filter { Self.reason($0) != nil }.sorted() == [], "in the bundle, and said to be left out")
    #expect(lost.filter { Self.reason($0) == nil }.sorted() == [], "left out without a reason")
    #expect(bundled.count > 60 && lost.count > 25)
    let unused = Self.leftOut.keys.filter { key in !KeyWalk.keys.contains { Self.matches($0.word, key) } }
    #expect(unused.sorted() == [], "no keys of the language")
  }

  private static func matches(_ word: String, _ key: String) -> Bool { word == key || word.hasPrefix(key + ".") }

  @Test("a bundle has no administrators, senders, limits, exceptions, or credentials")
  func secrets() throws {
    var policy = try Self.policy("policies/vibes.yaml")
    policy.app.baseURL = "https://marked.example"
    policy.app.audience = "marked-audience"
    policy.app.bundleIDs = ["com.example.marked"]
    policy.admins = Admins(when: [.init(field: "marked_field", value: "marked-role")], may: [.listUsers])
    policy.mail = MailPolicy(from: .init(name: "Marked Sender", address: "marked@sender.example"))
    policy.limits = Limits([.signInPerIP: try #require(Limit("987/15m"))])
    policy.attest = Attest(
      ios: .init(team: "MARKED1234", bundle: "com.example.marked", environment: .production), doors: [.signUp])
    policy.exceptions = [
      PolicyException(
        email: "marked@person.example", rule: "password.min6", until: try #require(Day("2027-01-01")),
        reason: "marked reason")
    ]
    policy.providers = policy.providers.map { provider in
      var marked = provider
      marked.clientID = "marked-client"
      marked.clientSecret = "marked_secret"
      marked.audiences = ["marked-audience"]
      marked.redirectURIs = ["https://marked.example/callback"]
      marked.endpoints = .init(issuer: "https://marked.example", token: "https://marked.example/token")
      return marked
    }
    let text = String(decoding: policy.bundle, as: UTF8.self)
    #expect(!text.lowercased().contains("marked") && !text.contains("987"))
    #expect(text.contains("\"name\": \"spotify\""))
    let members = try #require(try JSONSerialization.jsonObject(with: Data(policy.bundle)) as? [String: Any])
    #expect(
      members.keys.sorted() == [
        "access", "app", "bundle", "directory", "identifiers", "messages", "password", "presence", "privacy", "profile",
        "providers", "sessions", "tenant", "theme", "verification",
      ])
  }
}
