import Foundation
import GatehouseAssembly
import GatehouseIdentity
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseAdminWire
import GatehouseWire
import Testing

extension ThreeApps {
  /// The round that a server makes once a minute.
  fileprivate func writeSeen() async throws {
    _ = try await server.round(of: .writeSeenSessions)
  }

  /// What bo sees of a person of messAI, with a session of this moment.
  fileprivate func seen(_ user: JSONValue) async throws -> JSONValue? {
    let bo = try await signIn(.messai, "bo").json
    return try await messai.get("/v1/users/\(user.userID)", token: bo.accessToken).json["presence"]
  }

  fileprivate func isOnline(_ user: JSONValue) async throws -> Bool? {
    try await seen(user)?["online"].map { $0 == .bool(true) }
  }

  fileprivate func lastSeen(_ user: JSONValue) async throws -> String? {
    try await seen(user)?["last_seen"]?.string
  }

  fileprivate var now: String { Timestamp(server.clock.now).description }
}

@Suite("Presence")
struct PresenceTests {
  /// Al and bo of messAI, with other words in its policy.
  private func run(
    _ replaced: [(String, String)] = [], _ body: (ThreeApps, JSONValue) async throws -> Void
  ) async throws {
    try await ThreeApps.run(policy: { app, text in
      app == .messai ? replaced.reduce(text) { $0.replacing($1.0, with: $1.1) } : text
    }) { apps async throws in
      let al = try await apps.signUp(.messai, "al").json
      _ = try await apps.signUp(.messai, "bo")
      try await body(apps, al)
    }
  }

  @Test("a person is online until the idle time after the last request, and not a second longer")
  func idle() async throws {
    try await run { apps, al async throws in
      let begin = apps.now
      apps.server.clock.advance(seconds: 20 * 60)
      #expect(try await apps.isOnline(al) == true)
      apps.server.clock.advance(seconds: 1)
      #expect(try await apps.isOnline(al) == false)
      #expect(try await apps.lastSeen(al) == begin)
    }
  }

  @Test("a request with an access token keeps a person online once the job has written it")
  func request() async throws {
    try await run { apps, al async throws in
      apps.server.clock.advance(seconds: 10 * 60)
      let moment = apps.now
      #expect(try await apps.me(.messai, al.accessToken).status == 200)
      try await apps.writeSeen()
      apps.server.clock.advance(seconds: 15 * 60)
      #expect(try await apps.isOnline(al) == true)
      #expect(try await apps.lastSeen(al) == moment)
      apps.server.clock.advance(seconds: 5 * 60 + 1)
      #expect(try await apps.isOnline(al) == false, "without requests, as after a kill of the app")
    }
  }

  @Test("a request that is refused counts as well")
  func refused() async throws {
    try await run { apps, al async throws in
      apps.server.clock.advance(seconds: 60)
      let wrong = try await apps.messai.send("PATCH", "/v1/me", "[", token: al.accessToken)
      #expect(wrong.status == 400)
      try await apps.writeSeen()
      #expect(try await apps.lastSeen(al) == apps.now)
    }
  }

  @Test("a request without a valid access token is noted for no session")
  func stranger() async throws {
    try await run { apps, al async throws in
      apps.server.clock.advance(seconds: 20 * 60)  // al's access token is over
      _ = apps.server.services.seenSessions.take()
      #expect(try await apps.me(.messai, al.accessToken).code == "token_expired")
      #expect(try await apps.ride.get("/v1/me", token: al.accessToken).code == "unauthenticated")
      #expect(try await apps.messai.get("/v1/policy", token: al.accessToken).status == 200)
      #expect(apps.server.services.seenSessions.take().isEmpty)
    }
  }

  @Test("a refresh keeps a person online without the job")
  func refresh() async throws {
    try await run { apps, al async throws in
      apps.server.clock.advance(seconds: 19 * 60)
      #expect(try await apps.refresh(.messai, al.refreshToken).status == 200)
      apps.server.clock.advance(seconds: 19 * 60)
      #expect(try await apps.isOnline(al) == true)
    }
  }

  @Test("the end of the last session's time ends being online, within the idle time")
  func expiry() async throws {
    try await run([("idle: 20m", "idle: 24h"), ("refresh_idle_ttl: 90d", "refresh_idle_ttl: 1h")]) {
      apps, al async throws in
      apps.server.clock.advance(seconds: 3599)
      #expect(try await apps.isOnline(al) == true)
      apps.server.clock.advance(seconds: 1)
      #expect(try await apps.isOnline(al) == false)
    }
  }

  @Test("so does a policy that shortens sessions, as soon as it is live")
  func shortened() async throws {
    try await run([("idle: 20m", "idle: 24h")]) { apps, al async throws in
      apps.server.clock.advance(seconds: 2 * 3600)
      #expect(try await apps.isOnline(al) == true)
      let text = try TestLists.policy("messai").replacing("idle: 20m", with: "idle: 24h")
        .replacing("refresh_idle_ttl: 90d, refresh_max_ttl: 365d", with: "refresh_idle_ttl: 1h, refresh_max_ttl: 1h")
      _ = try await apps.server.apply(text, to: "messai")
      try await apps.reload()
      #expect(try await apps.isOnline(al) == false)
    }
  }

  @Test(
    "sign-out on one of two devices leaves a person online, and on the other one offline", arguments: ["this", "all"])
  func devices(scope: String) async throws {
    try await run { apps, al async throws in
      let phone = try await apps.signIn(.messai, "al").json
      apps.server.clock.advance(seconds: 30)
      #expect(try await apps.messai.post("/v1/sign-out", token: al.accessToken).status == 204)
      #expect(try await apps.isOnline(al) == true)
      #expect(try await apps.lastSeen(al) == apps.now)
      let out = try await apps.messai.post("/v1/sign-out", #"{"scope":"\#(scope)"}"#, token: phone.accessToken)
      #expect(out.status == 204)
      #expect(try await apps.isOnline(al) == false)
    }
  }

  @Test("set offline by the app a person stays offline though requests come, until the app or a sign-in says otherwise")
  func setOffline() async throws {
    try await run { apps, al async throws in
      _ = try await apps.messai.send("PUT", "/v1/me/presence", #"{"online":false}"#, token: al.accessToken)
      apps.server.clock.advance(seconds: 60)
      #expect(try await apps.me(.messai, al.accessToken).json["user"]?["presence"]?["online"] == .bool(false))
      let later = try await apps.refresh(.messai, al.refreshToken).json
      try await apps.writeSeen()
      #expect(try await apps.isOnline(al) == false)
      #expect(try await apps.lastSeen(al) == apps.now)
      _ = try await apps.messai.send("PUT", "/v1/me/presence", #"{"online":true}"#, token: later.accessToken)
      #expect(try await apps.isOnline(al) == true)
      _ = try await apps.messai.send("PUT", "/v1/me/presence", #"{"online":false}"#, token: later.accessToken)
      _ = try await apps.signIn(.messai, "al")
      #expect(try await apps.isOnline(al) == true)
    }
  }

  @Test("an app that comes back from the background is online at once, before any job")
  func back() async throws {
    try await run([("access_token_ttl: 15m", "access_token_ttl: 2h")]) { apps, al async throws in
      apps.server.clock.advance(seconds: 3600)
      #expect(try await apps.isOnline(al) == false)
      _ = try await apps.messai.send("PUT", "/v1/me/presence", #"{"online":true}"#, token: al.accessToken)
      #expect(try await apps.isOnline(al) == true)
    }
  }

  @Test("when a person was last seen outlives the session that says so, ended or run out")
  func outlives() async throws {
    try await run([("refresh_idle_ttl: 90d", "refresh_idle_ttl: 1h")]) { apps, al async throws in
      apps.server.clock.advance(seconds: 60)
      let moment = apps.now
      #expect(try await apps.me(.messai, al.accessToken).status == 200)
      try await apps.writeSeen()
      apps.server.clock.advance(seconds: 60)
      try await Operator.revoke(.messai, "al", apps)
      #expect(try await apps.lastSeen(al) == moment)
      let again = try await apps.signIn(.messai, "al").json
      apps.server.clock.advance(seconds: 60)
      let later = apps.now
      #expect(try await apps.me(.messai, again.accessToken).status == 200)
      try await apps.writeSeen()
      apps.server.clock.advance(seconds: 7200)
      _ = try await apps.server.round(of: .expireSessions)
      apps.server.clock.advance(seconds: 31 * 86_400)
      _ = try await PruneExpired(PostgresExpirySweep(apps.server.jobs)).runOnce()
      #expect(try await apps.lastSeen(al) == later)
    }
  }

  @Test("a session that idled out under a shorter policy is not revived by an access token that is still good")
  func noRevival() async throws {
    try await run([("access_token_ttl: 15m", "access_token_ttl: 12h")]) { apps, al async throws in
      let text = try TestLists.policy("messai").replacing(
        "access_token_ttl: 15m, refresh_idle_ttl: 90d", with: "access_token_ttl: 15m, refresh_idle_ttl: 1h")
      _ = try await apps.server.apply(text, to: "messai")
      try await apps.reload()
      apps.server.clock.advance(seconds: 3601)
      #expect(try await apps.me(.messai, al.accessToken).code == "session_revoked")
      try await apps.writeSeen()
      #expect(try await apps.me(.messai, al.accessToken).code == "session_revoked")
      #expect(try await apps.refresh(.messai, al.refreshToken).status == 401)
      #expect(try await apps.isOnline(al) == false)
    }
  }

  @Test("visible to the person and administrators alone, it is in no answer to others")
  func visibility() async throws {
    try await run([("visible_to: users}\ndirectory", "visible_to: self}\ndirectory")]) { apps, al async throws in
      let bo = try await apps.signIn(.messai, "bo").json
      let one = try await apps.messai.get("/v1/users/\(al.userID)", token: bo.accessToken)
      #expect(one.json.names == ["id", "profile"])
      let several = try await apps.messai.get("/v1/users?ids=\(al.userID)", token: bo.accessToken)
      #expect(several.json["items"]?.array?.first?.names == ["id", "profile"])
      let own = try await apps.me(.messai, al.accessToken)
      #expect(own.json["user"]?["presence"]?["online"] == .bool(true))
      let record = try await AdminRoutes.run(
        ShowUserOperation.self, .init(tenant: "messai", user: al.userID), apps.asOperator)
      #expect(record.online)
    }
  }

  @Test("a tenant's administrator and an operator see what is true, not what was last said")
  func administrators() async throws {
    try await ThreeApps.run { apps async throws in
      let pat = try await apps.signUp(.ride).json
      func record() async throws -> UserRecord {
        try await AdminRoutes.run(ShowUserOperation.self, .init(tenant: "dd-ride", user: pat.userID), apps.asOperator)
      }
      #expect(try await record().online)
      apps.server.clock.advance(seconds: 20 * 60 + 1)
      #expect(try await record().online == false)
    }
  }

  @Test("all sessions of all tenants are written by one statement")
  func oneStatement() async throws {
    try await ThreeApps.run { apps async throws in
      var users: [(App, JSONValue)] = []
      for app in App.allCases {
        for name in ["ann", "cyd"] { users.append((app, try await apps.signUp(app, name).json)) }
      }
      apps.server.clock.advance(seconds: 60)
      for (app, user) in users {
        for _ in 0..<3 { #expect(try await apps.me(app, user.accessToken).status == 200) }
      }
      let before = apps.server.jobs.statistics.statements
      try await apps.writeSeen()
      #expect(apps.server.jobs.statistics.statements == before + 1)
      for (app, user) in users {
        let own = try await apps.client(app).get("/v1/me/sessions", token: user.accessToken).json
        #expect(own["items"]?.array?.first?["last_seen_at"] == .string(apps.now), "\(app)")
      }
      _ = apps.server.services.seenSessions.take()
      let between = apps.server.jobs.statistics.statements
      try await apps.writeSeen()
      #expect(apps.server.jobs.statistics.statements == between, "nothing is asked where nothing was seen")
    }
  }
}
