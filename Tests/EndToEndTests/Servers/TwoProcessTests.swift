import Foundation
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// Two running programs share nothing but the database and the files of their operator. What must hold between them is
/// here in small; `script/prove races` does the same with thousands.
@Suite("Two processes on one database")
struct TwoProcessTests {
  private let app = App.vibes

  /// Two of them, with the app's policy under these limits.
  private func run(limits: String, _ body: (Installation, [ServerProcess]) async throws -> Void) async throws {
    try await Installation.run { here in
      let text = PolicyText.limits(limits, in: PolicyText.withoutTests(try TestLists.policy(app.rawValue)))
      let file = try here.write(text, as: app)
      var servers = [try await here.serve()]
      let made = try here.gatehouse("tenant create \(app.rawValue) --policy \(file)")
      #expect(made.exit == 0, "\(made.errors)")
      servers.append(try await here.serve())
      #expect(servers[0].processIdentifier != servers[1].processIdentifier)
      for server in servers {
        let served = try await eventually { try await server.client(app).get("/v1/policy").status == 200 }
        #expect(served)
      }
      try await body(here, servers)
      for server in servers { #expect(server.stop() == 0) }
    }
  }

  /// The work that both together did on passwords.
  private func hashes(_ servers: [ServerProcess]) async throws -> Int {
    var sum = 0
    for server in servers {
      let text = try await TestClient(server.operationsURL).get("/metrics").text
      let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("gatehouse_hash_done") })
      sum += try #require(Int(line.split(separator: " ").last ?? ""))
    }
    return sum
  }

  @Test("T022 three hundred guesses at once: exactly as many are checked as the policy allows, on both and on a third")
  func guesses() async throws {
    try await run(limits: "sign_in_per_account: 4/1h, sign_up_per_ip: 100/1h") { here, servers in
      _ = try await servers[0].client(app).post("/v1/sign-up", app.signUp())
      let before = try await hashes(servers)
      let codes = try await atOnce(300) { number in
        let client = servers[number % 2].client(app)
        return try await client.post("/v1/sign-in", app.signIn(password: "wrong-\(number)")).code
      }
      #expect(codes.count { $0 == "invalid_credentials" } == 4)
      #expect(codes.count { $0 == "too_many_attempts" } == 296)
      #expect(try await hashes(servers) - before == 4)
      let third = try await here.serve()
      let right = try await third.client(app).post("/v1/sign-in", app.signIn())
      #expect(right.code == "too_many_attempts")
      #expect(third.stop() == 0)
    }
  }

  @Test("forty sign-ups at once from one address: exactly as many people as the policy allows")
  func limits() async throws {
    try await run(limits: "sign_up_per_ip: 7/1h") { _, servers in
      let answers = try await atOnce(40) { number in
        try await servers[number % 2].client(app).post("/v1/sign-up", app.signUp("pat\(number)"))
      }
      #expect(answers.count { $0.status == 201 } == 7)
      #expect(answers.count { $0.code == "rate_limited" && $0.retryAfter != nil } == 33)
    }
  }

  @Test(
    "T034 T053 T055 one refresh token and one link, fifty times at once: one child in a living family, one redemption")
  func singleUse() async throws {
    try await run(limits: "sign_up_per_ip: 100/1h") { here, servers in
      let clients = servers.map { $0.client(app) }
      let up = try await clients[0].post("/v1/sign-up", app.signUp()).json
      func refresh(_ token: String, _ place: Int) async throws -> TestClient.Answer {
        try await clients[place].post("/v1/token", #"{"refresh_token":"\#(token)"}"#)
      }
      let body = #"{"refresh_token":"\#(up.refreshToken)"}"#
      let answers = try await atOnce(50) { try await clients[$0 % 2].post("/v1/token", body) }
      #expect(answers.allSatisfy { $0.status == 200 })
      #expect(Set(answers.map(\.json.refreshToken)).count == 1)
      let all = try await here.superuser()
      let rows = try await all.read(
        nil, "SELECT count(*)::int, count(*) FILTER (WHERE spent_at IS NULL)::int FROM gatehouse.refresh_token")
      let (tokens, unspent): (Int, Int) = (try rows[0][0], try rows[0][1])
      #expect(tokens == 2 && unspent == 1)
      await all.stop()
      let child = try await refresh(answers[0].json.refreshToken, 1)
      #expect(child.status == 200)
      let late = try await refresh(up.refreshToken, 0)
      let last = try await refresh(child.json.refreshToken, 1)
      #expect(late.code == "conflict" && last.status == 200)

      let signedIn = try await clients[0].post("/v1/sign-in", app.signIn()).json.accessToken
      let link = try #require(try await here.sink.next(to: app.email()).read.link)
      let confirm = #"{"token":"\#(try #require(link.split(separator: "=").last))"}"#
      let redeemed = try await atOnce(50) {
        try await clients[$0 % 2].post("/v1/email-verification/confirm", confirm, token: signedIn)
      }
      #expect(redeemed.count { $0.status == 200 } == 1 && redeemed.count { $0.code == "code_used" } == 49)
    }
  }

  @Test("a policy applied beside both judges on both: each answer is that of the revision it names, and none fails")
  func policy() async throws {
    try await run(limits: "sign_up_per_ip: 100/1h") { here, servers in
      let text = PolicyText.limits(
        "sign_up_per_ip: 100/1h", in: PolicyText.withoutTests(try TestLists.policy(app.rawValue)))
      let file = try here.write(text.replacing("min_length: 6}", with: "min_length: 12}"), as: app)
      let heard = LockBox<Set<Int>>([])
      // Each client asks until both servers have told of the second revision.
      async let asking = atOnce(8) { number -> Int in
        let client = servers[number % 2].client(app)
        var wrong = 0
        let end = ContinuousClock.now + .seconds(30)
        while heard.withLock({ $0.count < 2 }), ContinuousClock.now < end {
          let answer = try await client.post("/v1/password-check", #"{"password":"kt49xw-8"}"#)
          let rule = answer.json["rules"]?.array?.first { $0["rule"]?.string == "password.min6" }
          let expected = [1: "pass", 2: "fail"][answer.revision ?? 0]
          if answer.status != 200 || expected == nil || rule?["verdict"]?.string != expected { wrong += 1 }
          if answer.revision == 2 { heard.withLock { _ = $0.insert(number % 2) } }
        }
        return wrong
      }
      let applied = try here.gatehouse("policy apply \(app.rawValue) \(file)")
      #expect(applied.exit == 0, "\(applied.errors)")
      let wrong = try await asking
      #expect(wrong == Array(repeating: 0, count: 8) && heard.withLock { $0 } == [0, 1])
    }
  }
}
