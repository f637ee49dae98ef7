import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("None of the last passwords")
struct PasswordHistoryTests {
  private static let policy = """
    schema: gatehouse/policy.v1
    tenant: acme
    app: {name: Acme, locales: [en, es]}
    identifiers: {sign_in_with: [email], email: {normalize: lowercase}}
    password: {rules: [{id: length, min_length: 8}, {id: fresh, not_last: 3}]}
    providers: {password: {use: sign_in}}
    privacy: {account_exists: reveal}

    """
  private static let without = policy.replacing(", {id: fresh, not_last: 3}", with: "")
  private static let passwords = (0...9).map { "Kq7!vmTz-\($0)" }

  /// A person who signed up, and what the person does.
  private final class Person {
    let client: TestClient
    let server: TestServer
    private(set) var token: String
    private var current = passwords[0]

    init(_ server: TestServer) async throws {
      self.server = server
      client = TestClient(server.url + "/t/acme")
      let up = try await client.post("/v1/sign-up", #"{"email":"pat@example.com","password":"\#(passwords[0])"}"#)
      token = up.json.accessToken
    }

    func change(to password: String, from current: String? = nil) async throws -> TestClient.Answer {
      let body = #"{"current_password":"\#(current ?? self.current)","password":"\#(password)"}"#
      let answer = try await client.post("/v1/me/password", body, token: token)
      if answer.status == 200 { self.current = password }
      return answer
    }

    func signIn() async throws {
      let back = try await client.post("/v1/sign-in", #"{"email":"pat@example.com","password":"\#(current)"}"#)
      token = back.json.accessToken
    }

    func reset(to password: String) async throws -> TestClient.Answer {
      if link == nil {
        server.clock.advance(seconds: 3600)
        _ = try await client.post("/v1/password-reset", #"{"email":"pat@example.com"}"#)
        link = try await server.latestMail(to: "pat@example.com")?.link?.split(separator: "=").last.map(String.init)
      }
      let body = #"{"token":"\#(try #require(link))","password":"\#(password)"}"#
      let answer = try await client.post("/v1/password-reset/confirm", body)
      if answer.status == 204 { (current, link) = (password, nil) }
      return answer
    }
    private var link: String?

    var kept: Int {
      get async throws {
        let tenant = try #require(server.services.registry.snapshot("acme"))
        let store = server.services.store.open(tenant.id)
        let user = try #require(try await store.user(email: "pat@example.com")?.user)
        return try await store.passwordHashes(of: user.id, atMost: 99).count
      }
    }
  }

  private func run(_ text: String = policy, _ body: (Person) async throws -> Void) async throws {
    let server = try await TestServer.start(policies: ["acme": text])
    do {
      try await body(try await Person(server))
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }

  @Test("a change refuses the present password and the two before it, and takes the one before those again")
  func change() async throws {
    try await run { user async throws in
      for number in 1...2 { #expect(try await user.change(to: Self.passwords[number]).status == 200) }
      for number in [2, 1, 0] {
        let refused = try await user.change(to: Self.passwords[number])
        #expect(refused.status == 422 && refused.rules == ["password.fresh"], "\(number): \(refused.text)")
      }
      #expect(try await user.change(to: Self.passwords[3]).status == 200)
      #expect(try await user.kept == 3)
      #expect(try await user.change(to: Self.passwords[0]).status == 200)
      // A wrong present password learns nothing of the others.
      let guess = try await user.change(to: Self.passwords[0], from: "Wrong-one1")
      #expect(guess.status == 401 && guess.rules.isEmpty, "\(guess.text)")
    }
  }

  @Test("a reset refuses them, its code stays good, and the next password is taken with it")
  func reset() async throws {
    try await run { user async throws in
      #expect(try await user.change(to: Self.passwords[1]).status == 200)
      for number in [0, 1] {
        let refused = try await user.reset(to: Self.passwords[number])
        #expect(refused.status == 422 && refused.rules == ["password.fresh"], "\(refused.text)")
      }
      #expect(try await user.reset(to: Self.passwords[2]).status == 204)
      #expect(try await user.reset(to: Self.passwords[1]).rules == ["password.fresh"])
    }
  }

  @Test("earlier passwords cost hashes only once every other rule has passed, as many as it takes to find one")
  func work() async throws {
    try await run { user async throws in
      for number in 1...2 { #expect(try await user.change(to: Self.passwords[number]).status == 200) }
      func hashes(_ password: String) async throws -> Int {
        let before = user.server.hashesDone
        _ = try await user.change(to: password)
        return user.server.hashesDone - before
      }
      #expect(try await hashes("short") == 1, "the present password alone")
      #expect(try await hashes(Self.passwords[2]) == 2, "the newest is looked at first")
      #expect(try await hashes(Self.passwords[0]) == 4)
      #expect(try await hashes(Self.passwords[5]) == 5, "three compared, and one made")
    }
  }

  @Test("comparisons are limited by the hour, and an operator sees and clears the limit")
  func limited() async throws {
    try await run { user async throws in
      for _ in 0..<20 { #expect(try await user.change(to: Self.passwords[0]).status == 422) }
      let limited = try await user.change(to: Self.passwords[1])
      #expect(limited.status == 429, "\(limited.text)")
      #expect(try await user.change(to: "short").status == 422, "what costs nothing is answered")
      user.server.clock.advance(seconds: 3600)
      try await user.signIn()
      #expect(try await user.change(to: Self.passwords[1]).status == 200)
    }
  }

  @Test("without the rule nothing is kept; with it later the passwords from then on are known; without it they go")
  func later() async throws {
    try await run(Self.without) { user async throws in
      for number in 1...2 { #expect(try await user.change(to: Self.passwords[number]).status == 200) }
      #expect(try await user.kept == 1)
      #expect(try await user.server.apply(Self.policy, to: "acme") == .applied(revision: 2))
      _ = try await eventually { user.server.services.registry.snapshot("acme")?.revision == 2 }
      #expect(try await user.change(to: Self.passwords[2]).rules == ["password.fresh"])
      #expect(try await user.change(to: Self.passwords[0]).status == 200, "it is forgotten")
      #expect(try await user.change(to: Self.passwords[2]).rules == ["password.fresh"])
      #expect(try await user.kept == 2)
      let me = try await user.client.send("GET", "/v1/me/export", token: user.token)
      #expect(me.json["password"]?["earlier_kept"] == .integer(1), "\(me.text)")
      #expect(try await user.server.apply(Self.without, to: "acme", allowsWeaker: true) == .applied(revision: 3))
      #expect(try await user.kept == 1)
    }
  }

  @Test("a new account, the live checklist and an explanation know of no earlier password, and refuse for none")
  func elsewhere() async throws {
    let everywhere = Self.policy.replacing(
      "not_last: 3", with: "not_last: 3, doors: [sign_up, set_password, reset_password]")
    try await run(everywhere) { user async throws in
      let body = #"{"email":"kay@example.com","password":"\#(Self.passwords[0])"}"#
      #expect(try await user.client.post("/v1/sign-up", body).status == 201)
      let checked = try await user.client.post("/v1/password-check", #"{"password":"\#(Self.passwords[0])"}"#)
      #expect(checked.status == 200 && checked.json["ok"] == .bool(true), "\(checked.text)")
      #expect(!checked.text.contains("password.fresh"))
      let asked = #"{"door":"set_password","password":"\#(Self.passwords[0])"}"#
      let explained = try await user.client.post("/v1/explain", asked)
      #expect(explained.json["ok"] == .bool(true) && explained.text.contains("deferred"), "\(explained.text)")
    }
  }

  @Test("the sentence names the number, in the person's language")
  func sentence() async throws {
    try await run { user async throws in
      let refused = try await user.change(to: Self.passwords[0])
      #expect(refused.text.contains("None of your last 3 passwords"), "\(refused.text)")
    }
  }
}
