import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Links that are kept warm")
struct WarmGrantTests {
  private static func warm(_ policy: String) -> String {
    policy.replacing("hand_out: access_token_only}", with: "hand_out: access_token_only, keep_warm: true}")
  }

  /// As many people who linked, each an account of their own there.
  private func users(_ count: Int, _ app: LinkedApp) async throws -> [String] {
    var tokens: [String] = []
    for number in 1...count {
      try await app.peer.signIn(["sub": "10\(number)"])
      tokens.append(try await app.linked("willie\(number)"))
    }
    return tokens
  }

  /// Requests for tokens since the last look.
  private func asked(_ app: LinkedApp) async throws -> Int {
    try await app.peer.received().count { $0.path == "/token" }
  }

  @Test("tokens are refreshed before they end, and not earlier: an app never waits for the provider")
  func keeps() async throws {
    try await LinkedApp.run(policy: Self.warm) { app in
      let me = try await app.linked()
      let first = try await app.token(me).json["access_token"]
      await app.server.warmGrants()
      app.server.clock.advance(seconds: 149)
      await app.server.warmGrants()
      #expect(try await app.peer.counts().refreshes == 0, "it is good for more than half of its time")
      app.server.clock.advance(seconds: 1)
      await app.server.warmGrants()
      await app.server.warmGrants()
      #expect(try await app.peer.counts().refreshes == 1)
      _ = try await asked(app)
      let fresh = try await app.token(me)
      #expect(fresh.json["expires_in"] == .integer(300) && fresh.json["access_token"] != first, "\(fresh.text)")
      #expect(try await asked(app) == 0)
      for _ in 1...5 {
        app.server.clock.advance(seconds: 200)
        await app.server.warmGrants()
      }
      let counts = try await app.peer.counts()
      #expect(counts.refreshes == 6 && counts.replays == 0 && counts.refreshTokens == 1)
      #expect(try await app.token(me).json["expires_in"] == .integer(300))
    }
  }

  @Test("without the key nothing is asked, however old a token gets")
  func control() async throws {
    try await LinkedApp.run { app in
      _ = try await app.linked()
      _ = try await app.peer.received()
      for _ in 1...5 {
        app.server.clock.advance(seconds: 200)
        await app.server.warmGrants()
      }
      let later = try await app.peer.received()
      #expect(later.isEmpty)
    }
  }

  @Test("two servers refresh each link once")
  func servers() async throws {
    try await LinkedApp.run(policy: Self.warm) { app in
      _ = try await users(4, app)
      let other = try await app.server.sibling()
      app.server.clock.advance(seconds: 250)
      async let here = app.server.warmGrants()
      async let there = other.warmGrants()
      _ = await (here, there)
      await other.stop()
      let counts = try await app.peer.counts()
      #expect(counts.refreshes == 4 && counts.replays == 0 && counts.refreshTokens == 4)
    }
  }

  @Test(
    "a provider that limits us or fails is asked once, by all servers, until the time that it named is over",
    arguments: [(429, "30", 29.0, 2.0), (503, nil, 1.0, 2.0)] as [(Int, String?, Double, Double)])
  func patience(status: Int, retryAfter: String?, wait: Double, rest: Double) async throws {
    try await LinkedApp.run(policy: Self.warm) { app in
      _ = try await users(3, app)
      let other = try await app.server.sibling()
      app.server.clock.advance(seconds: 200)
      _ = try await asked(app)
      try await app.peer.fail("/token", .status(status, retryAfter: retryAfter), times: 1)
      await app.server.warmGrants()
      app.server.clock.advance(seconds: wait)
      await app.server.warmGrants()
      await other.warmGrants()
      await other.stop()
      #expect(try await asked(app) == 1)
      app.server.clock.advance(seconds: rest)
      await app.server.warmGrants()
      #expect(try await asked(app) == 3)
      #expect(try await app.peer.counts().refreshes == 3)
    }
  }

  @Test("a provider that does not answer is left alone by its circuit, and no link breaks")
  func circuit() async throws {
    try await LinkedApp.run(policy: Self.warm) { app in
      let tokens = try await users(2, app)
      app.server.clock.advance(seconds: 200)
      _ = try await asked(app)
      try await app.peer.fail("/token", .status(500))
      for _ in 1...12 {
        app.server.clock.advance(seconds: 3)
        await app.server.warmGrants()
      }
      #expect(try await asked(app) == 5, "then the circuit is open")
      for token in tokens {
        #expect(try await app.client.get("/v1/me", token: token).json["access"] == .string("full"))
      }
    }
  }

  @Test("a grant that was withdrawn is noticed while its person is away: limited, in the trail, and told by mail")
  func broken() async throws {
    try await LinkedApp.run(policy: Self.warm) { app in
      let tokens = try await users(2, app)
      try await app.verify("willie1")
      try await app.peer.withdrawGrants(of: "101")
      app.server.clock.advance(seconds: 200)
      await app.server.warmGrants()
      _ = try await asked(app)
      await app.server.warmGrants()
      #expect(try await asked(app) == 0)
      let state = try await app.client.get("/v1/me", token: tokens[0]).json
      #expect(state["access"] == .string("limited") && state["next"] == .array([.string("link:spotify")]))
      #expect(try await app.client.get("/v1/me", token: tokens[1]).json["access"] == .string("full"))
      let trail = try await app.server.services.store.open(app.tenant.id).audit(
        AuditQuery(event: "provider_link_broken"), limit: 10)
      #expect(trail.map(\.actor) == ["system:warm_grants"])
      #expect(trail.map(\.details) == [["provider": "spotify", "reason": "invalid_grant"]])
      let mail = try await app.server.latestMail(to: "willie1@example.com")
      #expect(mail?.subject == "Connect Spotify to vibes again")
      #expect(try await app.server.latestMail(to: "willie2@example.com")?.subject.contains("again") == false)
    }
  }

  @Test("a round is bounded: what is left over is the next one's, the most urgent first")
  func bounded() async throws {
    try await LinkedApp.run(policy: Self.warm) { app in
      _ = try await users(3, app)
      app.server.clock.advance(seconds: 200)
      let job = WarmGrants(app.server.services, batch: 2)
      #expect(await job.runOnce())
      #expect(try await app.peer.counts().refreshes == 2)
      #expect(await job.runOnce() == false)
      #expect(try await app.peer.counts().refreshes == 3)
    }
  }
}
