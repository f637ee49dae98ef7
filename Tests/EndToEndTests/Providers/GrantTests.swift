import Foundation
import GatehouseIdentity
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Tokens of a linked provider")
struct GrantTests {
  @Test("T101 a linked person's app gets an access token, the same one while it is good, and a fresh one after")
  func fresh() async throws {
    try await LinkedApp.run { app in
      let me = try await app.linked()
      let first = try await app.token(me)
      #expect(first.status == 200, "\(first.text)")
      #expect(first.headers["cache-control"] == "no-store")
      #expect(first.json["token_type"] == .string("Bearer"))
      #expect(first.json["expires_in"] == .integer(300))
      #expect(first.json["scopes"] == .array(LinkedApp.scopes.map(JSONValue.string)))
      let token = try #require(first.json["access_token"]?.string)
      app.server.clock.advance(seconds: 200)
      let still = try await app.token(me)
      #expect(still.json["access_token"] == .string(token))
      #expect(still.json["expires_in"] == .integer(100))
      app.server.clock.advance(seconds: 50)
      let second = try await app.token(me)
      #expect(second.status == 200, "\(second.text)")
      #expect(second.json["expires_in"] == .integer(300))
      #expect(second.json["access_token"] != .string(token))
      for _ in 1...3 {
        app.server.clock.advance(seconds: 60)
        #expect(try await app.token(me).status == 200)
      }
      app.server.clock.advance(seconds: 300)
      #expect(try await app.token(me).status == 200, "each rotated refresh token was kept")
      let counts = try await app.peer.counts()
      #expect(counts.refreshes == 2 && counts.replays == 0 && counts.exchanges == 1)
    }
  }

  @Test("T101 of many requests at two servers one refreshes, and all get its token")
  func singleFlight() async throws {
    try await LinkedApp.run { app in
      let me = try await app.linked()
      let other = try await app.server.sibling()
      app.server.clock.advance(seconds: 300)
      let answers = try await withThrowingTaskGroup(of: TestClient.Answer.self) { group in
        for number in 0..<16 {
          group.addTask { try await app.token(me, at: number % 2 == 0 ? nil : other) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      await other.stop()
      #expect(answers.allSatisfy { $0.status == 200 }, "\(answers.map(\.text))")
      #expect(Set(answers.compactMap { $0.json["access_token"]?.string }).count == 1)
      let counts = try await app.peer.counts()
      #expect(counts.refreshes == 1 && counts.replays == 0)
    }
  }

  @Test("T101 the refresh token and the client secret never leave the server: no answer, no row, no trail holds them")
  func canaries() async throws {
    try await LinkedApp.run { app in
      let me = try await app.linked()
      let copy = try await app.client.get("/v1/me/export", token: me)
      #expect(copy.status == 200)
      app.server.clock.advance(seconds: 300)
      var seen = [copy.text, try await app.token(me).text, try await app.client.get("/v1/me", token: me).text]
      try await app.peer.withdrawGrants(of: "nobody")
      let refresh = try await app.peer.refreshTokens()
      #expect(refresh.count == 1)
      let store = app.server.services.store.open(try app.tenant.id)
      seen += try await store.audit(AuditQuery(), limit: 100).map { "\($0)" }
      let grant = try #require(try await app.grant())
      seen.append(String(decoding: grant.sealedTokens, as: UTF8.self))
      let tokens = try await app.tokens(of: grant)
      seen += ["\(tokens)", String(reflecting: tokens)]
      for text in seen {
        for canary in refresh + [LinkedApp.secret] { #expect(!text.contains(canary), "\(text)") }
      }
      #expect(tokens.refreshToken?.expose { $0 } == refresh.first, "negative control: it is what was looked for")
    }
  }

  @Test("T101 tokens open for their tenant, person, provider and version alone")
  func sealed() async throws {
    try await LinkedApp.run { app in
      _ = try await app.linked("one")
      let grant = try #require(try await app.grant("one"))
      _ = try await app.tokens(of: grant)
      try await app.peer.signIn(["sub": "1002"])
      let other = try await app.linked("two")
      var moved = grant
      moved.user = try await app.user("two")
      await #expect(throws: CryptoError.notAuthentic) { try await app.tokens(of: moved) }
      moved = grant
      moved.provider = "github"
      await #expect(throws: CryptoError.notAuthentic) { try await app.tokens(of: moved) }
      moved = grant
      moved.version += 1
      await #expect(throws: CryptoError.notAuthentic) { try await app.tokens(of: moved) }
      try await app.server.makeTenant(
        "neighbour", app.policy.replacing("tenant: vibes", with: "tenant: neighbour"))
      let neighbour = try #require(app.server.services.registry.snapshot("neighbour"))
      await #expect(throws: CryptoError.notAuthentic) { try await app.tokens(of: grant, in: neighbour) }
      // The row of one, put in the place of the other's: neither user gets anything from it.
      _ = try await app.server.database.write(
        app.tenant.id.uuid,
        [
          """
          UPDATE provider_grant SET sealed_tokens = \(grant.sealedTokens), version = \(grant.version)
          WHERE account_id = \(try await app.user("two").uuid)
          """
        ])
      let stolen = try await app.token(other)
      #expect(stolen.status == 500 && stolen.json["access_token"] == nil, "\(stolen.text)")
    }
  }

  @Test(
    "T101 a grant that was withdrawn breaks the link: limited access, next link:spotify, an event, and linking anew heals it"
  )
  func broken() async throws {
    try await LinkedApp.run { app in
      let me = try await app.linked()
      try await app.peer.withdrawGrants(of: "1001")
      #expect(try await app.token(me).status == 200, "the server has not noticed")
      app.server.clock.advance(seconds: 300)
      let refused = try await app.token(me)
      #expect(refused.status == 409 && refused.code == "provider_link_broken", "\(refused.text)")
      #expect(try await app.token(me).code == "provider_link_broken")
      let state = try await app.client.get("/v1/me", token: me).json
      #expect(state["access"] == .string("limited"))
      #expect(state["next"] == .array([.string("link:spotify")]))
      #expect(state["user"]?["links"]?.array?.first?["broken"] == .bool(true))
      let trail = try await app.server.services.store.open(app.tenant.id).audit(
        AuditQuery(event: "provider_link_broken"), limit: 10)
      #expect(trail.map(\.details) == [["provider": "spotify", "reason": "invalid_grant"]])
      #expect(try await app.grant() == nil, "what is not good for anything is not kept")
      let password = try await app.client.post(
        "/v1/sign-in", #"{"email":"willie@example.com","password":"correct horse battery 7"}"#)
      let again = try #require(password.json["access_token"]?.string, "\(password.text)")
      #expect(password.json["access"] == .string("limited"))
      #expect(try await app.link(again).status == 200)
      #expect(try await app.token(again).status == 200)
    }
  }

  @Test("scopes that were withdrawn limit access with the next token")
  func scopes() async throws {
    try await LinkedApp.run { app in
      let me = try await app.linked()
      try await app.peer.allow(["user-top-read"])
      app.server.clock.advance(seconds: 300)
      let refused = try await app.token(me)
      #expect(refused.status == 403 && refused.code == "access_limited", "\(refused.text)")
      #expect(refused.json["next"] == .array([.string("link:spotify")]))
      let state = try await app.client.get("/v1/me", token: me).json
      #expect(state["access"] == .string("limited"))
      #expect(state["user"]?["links"]?.array?.first?["scopes"] == .array([.string("user-top-read")]))
      #expect(try await app.token(me).code == "access_limited")
    }
  }

  @Test("a provider that limits us is left alone for as long as it says, and the token that is good goes on")
  func patience() async throws {
    try await LinkedApp.run { app in
      let me = try await app.linked()
      try await app.peer.fail("/token", .status(429, retryAfter: "30"), times: 1)
      app.server.clock.advance(seconds: 270)
      let early = try await app.token(me)
      #expect(early.status == 200 && early.json["expires_in"] == .integer(30), "\(early.text)")
      app.server.clock.advance(seconds: 28)
      let late = try await app.token(me)
      #expect(late.status == 503 && late.code == "provider_unavailable", "\(late.text)")
      #expect(late.headers["retry-after"] == "2")
      #expect(try await app.peer.counts().refreshes == 0)
      app.server.clock.advance(seconds: 3)
      #expect(try await app.token(me).status == 200)
      #expect(try await app.peer.counts().refreshes == 1)
    }
  }

  @Test("an answer that makes no sense, or a wrong secret, breaks no link")
  func nonsense() async throws {
    try await LinkedApp.run { app in
      let me = try await app.linked()
      app.server.clock.advance(seconds: 300)
      try await app.peer.fail("/token", .body(Array("<html>".utf8)), times: 1)
      try await app.peer.fail("/token", .status(401, error: "invalid_client"), times: 1)
      for _ in 1...2 {
        let failed = try await app.token(me)
        #expect(failed.status == 502 && failed.code == "provider_error", "\(failed.text)")
        app.server.clock.advance(seconds: 5)
      }
      #expect(try await app.token(me).status == 200)
    }
  }

  @Test("an answer that is lost on the way costs the link, and nothing else: rotation and loss can not be told apart")
  func lost() async throws {
    try await LinkedApp.run { app in
      let me = try await app.linked()
      app.server.clock.advance(seconds: 300)
      try await app.peer.fail("/token", .lost, times: 1)
      let first = try await app.token(me)
      #expect(first.status == 502 && first.code == "provider_error", "\(first.text)")
      app.server.clock.advance(seconds: 5)
      #expect(try await app.token(me).code == "provider_link_broken")
    }
  }

  @Test("a user without a link, without full access, or who asks for a token that is not handed out gets nothing")
  func refused() async throws {
    try await LinkedApp.run { app in
      let me = try await app.signUp()
      #expect(try await app.token(me).code == "provider_not_linked")
      #expect(try await app.token(me, provider: "google").status == 404)
      #expect(try await app.token(me, provider: "password").status == 404)
      #expect(try await app.client.post("/v1/me/links/spotify/token", "{}").status == 401)
    }
    try await LinkedApp.run(policy: { $0.replacing(", hand_out: access_token_only", with: "") }) { app in
      let me = try await app.linked()
      #expect(try await app.token(me).status == 404)
    }
    try await LinkedApp.run(policy: { $0.replacing("[\"linked:spotify\"]", with: "[email_verified]") }) { app in
      let me = try await app.linked()
      let limited = try await app.token(me)
      #expect(limited.status == 403 && limited.code == "access_limited")
    }
  }

  @Test("T102 a password opens the door while the provider is down, silent or talks nonsense")
  func passwordUnharmed() async throws {
    try await LinkedApp.run { app in
      let me = try await app.linked()
      app.server.clock.advance(seconds: 300)
      try await app.peer.fail("/token", .silent)
      async let stuck = app.token(me)
      let clock = ContinuousClock()
      for _ in 1...3 {
        let began = clock.now
        let answer = try await app.client.post(
          "/v1/sign-in", #"{"email":"willie@example.com","password":"correct horse battery 7"}"#)
        #expect(answer.status == 200 && answer.json["access"] == .string("full"), "\(answer.text)")
        #expect(began.duration(to: clock.now) < .seconds(2))
      }
      let answer = try await stuck
      #expect(answer.status == 503 && answer.code == "provider_unavailable", "\(answer.text)")
      #expect(answer.headers["retry-after"] != nil)
    }
  }
}
