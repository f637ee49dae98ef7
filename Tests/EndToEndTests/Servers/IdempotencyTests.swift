import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

extension TestClient {
  /// A POST under an Idempotency-Key.
  fileprivate func post(_ path: String, _ body: String, key: String, token: String? = nil) async throws -> Answer {
    try await send("POST", path, body, token: token, headers: ["Idempotency-Key": key])
  }
}

@Suite("Idempotency-Key")
struct IdempotencyTests {
  /// The same answer, byte for byte, said to be a repeated one.
  private func isReplay(_ again: TestClient.Answer, of first: TestClient.Answer) -> Bool {
    first.headers["idempotency-replayed"] == nil && again.headers["idempotency-replayed"] == "true"
      && again.status == first.status && again.body == first.body
      && ["content-type", "policy-revision", "cache-control"].allSatisfy { again.headers[$0] == first.headers[$0] }
  }

  @Test("a sign-up that is sent again is one sign-up, and its tokens work", arguments: App.allCases)
  func signUp(app: App) async throws {
    try await ThreeApps.run { apps in
      let client = apps.client(app)
      let first = try await client.post("/v1/sign-up", app.signUp(), key: "k-1")
      #expect(first.status == 201)
      apps.server.clock.advance(seconds: 3600)
      let again = try await client.post("/v1/sign-up", app.signUp(), key: "k-1")
      #expect(isReplay(again, of: first))
      #expect(try await apps.refresh(app, again.json.refreshToken).status == 200)
      let mails = try await apps.server.mailCount(to: app.email())
      #expect(mails == 1)
      // Without the key, or under another, it is another sign-up.
      #expect(try await apps.signUp(app).code == "account_exists")
      #expect(try await client.post("/v1/sign-up", app.signUp(), key: "k-2").code == "account_exists")
    }
  }

  @Test("each mail that is asked for again under its key is one mail, and the cooldown is not in the way")
  func mails() async throws {
    try await ThreeApps.run { apps in
      let token = try await apps.signUp(.messai).json.accessToken
      var sent = try await apps.server.mailCount(to: App.messai.email())
      let address = App.messai.email()
      let change = #"{"email":"new@example.com","password":"\#(App.password)"}"#
      for (path, body, token) in [
        ("/v1/email-verification", "{}", token as String?), ("/v1/password-reset", #"{"email":"\#(address)"}"#, nil),
        ("/v1/email-verification", #"{"email":"\#(address)"}"#, nil), ("/v1/me/email", change, token),
      ] {
        apps.server.clock.advance(seconds: 61)
        let first = try await apps.messai.post(path, body, key: "same-key", token: token)
        #expect(first.status == 202)
        let again = try await apps.messai.post(path, body, key: "same-key", token: token)
        #expect(isReplay(again, of: first), "\(path)")
        sent += path == "/v1/me/email" ? 0 : 1
        #expect(try await apps.server.mailCount(to: address) == sent, "\(path)")
      }
      #expect(try await apps.server.mailCount(to: "new@example.com") == 1)
    }
  }

  @Test("another body under the key is refused and learns nothing; another caller, operation or app has its own keys")
  func scope() async throws {
    try await ThreeApps.run { apps in
      let first = try await apps.messai.post("/v1/sign-up", App.messai.signUp(), key: "k")
      for body in [
        App.messai.signUp(password: App.otherPassword), App.messai.signUp() + " ", App.messai.signUp("kay"), "{}",
      ] where body != "{}" {
        let other = try await apps.messai.post("/v1/sign-up", body, key: "k")
        #expect(other.status == 422 && other.code == "idempotency_conflict")
        #expect(other.json.names == ["type", "title", "status", "code", "request_id"])
      }
      #expect(try await apps.vibes.post("/v1/sign-up", App.vibes.signUp(), key: "k").status == 201)
      let token = first.json.accessToken
      let kay = try await apps.signUp(.messai, "kay").json.accessToken
      try await apps.server.deliverMail()
      apps.server.clock.advance(seconds: 61)
      for caller in [token, kay] {
        let answer = try await apps.messai.post("/v1/email-verification", "{}", key: "k", token: caller)
        #expect(answer.status == 202 && answer.headers["idempotency-replayed"] == nil)
      }
      #expect(try await apps.server.mailCount(to: App.messai.email("kay")) == 2)
      // Signed in or not is not the same caller, with the same bytes.
      let anonymous = try await apps.messai.post("/v1/email-verification", "{}", key: "k")
      #expect(anonymous.code == "unauthenticated")
    }
  }

  @Test("a refusal is not kept: the key is free for the corrected request")
  func refusals() async throws {
    try await ThreeApps.run { apps in
      let bad = App.messai.signUp(password: "x")
      #expect(try await apps.messai.post("/v1/sign-up", bad, key: "k").code == "validation_failed")
      #expect(try await apps.messai.post("/v1/sign-up", "{", key: "k").code == "malformed_request")
      #expect(try await apps.messai.post("/v1/sign-up", App.messai.signUp(), key: "k").status == 201)
      // Inside the cooldown nothing is sent, and nothing kept: the same key works when it is over.
      let token = try await apps.signIn(.messai).json.accessToken
      #expect(try await apps.messai.post("/v1/email-verification", "{}", key: "m", token: token).code == "cooldown")
      apps.server.clock.advance(seconds: 61)
      #expect(try await apps.messai.post("/v1/email-verification", "{}", key: "m", token: token).status == 202)
    }
  }

  @Test("an answer is kept for a day, names the revision that it was given under, and is not for a session that ended")
  func life() async throws {
    try await ThreeApps.run { apps in
      let first = try await apps.messai.post("/v1/sign-up", App.messai.signUp(), key: "k")
      let token = first.json.accessToken
      apps.server.clock.advance(seconds: 61)
      let mail = try await apps.messai.post("/v1/email-verification", "{}", key: "k", token: token)
      #expect(mail.status == 202)
      let text = PolicyText.withoutTests(try TestLists.policy("messai"))
      let stricter = text.replacing("min_length: 6", with: "min_length: 7")
      #expect(try await apps.server.apply(stricter, to: "messai") == .applied(revision: 2))
      #expect(try await apps.hears(of: 2, .messai))
      let again = try await apps.messai.post("/v1/sign-up", App.messai.signUp(), key: "k")
      #expect(isReplay(again, of: first) && again.headers["policy-revision"] == "1")
      #expect(try await apps.messai.post("/v1/sign-out", token: token).status == 204)
      let ended = try await apps.messai.post("/v1/email-verification", "{}", key: "k", token: token)
      #expect(ended.code == "session_revoked")
      apps.server.clock.advance(seconds: 86_400 - 61 - 1)
      #expect(isReplay(try await apps.messai.post("/v1/sign-up", App.messai.signUp(), key: "k"), of: first))
      apps.server.clock.advance(seconds: 1)
      let late = try await apps.messai.post("/v1/sign-up", App.messai.signUp(), key: "k")
      #expect(late.code == "account_exists")
    }
  }

  @Test("where an app hides who has an account, a repeated sign-up looks the same for a free and a taken address")
  func hidden() async throws {
    try await ThreeApps.run(policy: { app, text in
      app == .messai
        ? PolicyText.withoutTests(text).replacing("account_exists: reveal", with: "account_exists: hide") : text
    }) { apps in
      func signUpTwice(_ key: String) async throws -> [TestClient.Answer] {
        apps.server.clock.advance(seconds: 61)
        let first = try await apps.messai.post("/v1/sign-up", App.messai.signUp(), key: key)
        let again = try await apps.messai.post("/v1/sign-up", App.messai.signUp(), key: key)
        #expect(first.status == 202 && isReplay(again, of: first))
        return [first, again]
      }
      let free = try await signUpTwice("a")
      let link = try #require(try await apps.server.latestMail(to: App.messai.email())?.link)
      let token = try #require(link.split(separator: "=").last)
      let confirm = #"{"token":"\#(token)","password":"\#(App.password)"}"#
      #expect(try await apps.messai.post("/v1/email-verification/confirm", confirm).status == 200)
      let taken = try await signUpTwice("b")
      #expect(free.map(\.json.names) == taken.map(\.json.names))
      #expect(try await apps.server.mailCount(to: App.messai.email()) == 2)
    }
  }

  /// Two servers of one installation.
  private func run(_ body: (ThreeApps, ThreeApps) async throws -> Void) async throws {
    try await ThreeApps.run { one in try await one.withSibling { other in try await body(one, other) } }
  }

  @Test("two servers on one database, many at once: one effect; the other requests get its answer or are told to wait")
  func replicas() async throws {
    try await run { one, other in
      let clients = [one.messai, other.messai]
      let body = App.messai.signUp()
      let answers: [TestClient.Answer] = try await atOnce(20) { index in
        try await clients[index % 2].post("/v1/sign-up", body, key: "k")
      }
      let done = answers.filter { $0.status == 201 }
      let firsts = done.filter { $0.headers["idempotency-replayed"] == nil }
      #expect(firsts.count == 1 && Set(done.map(\.text)).count == 1)
      let others = answers.filter { $0.status != 201 }
      #expect(others.allSatisfy { $0.code == "conflict" && $0.headers["retry-after"] != nil })
      let later = try await other.messai.post("/v1/sign-up", body, key: "k")
      #expect(later.body == done.first?.body)
      #expect(try await one.server.mailCount(to: App.messai.email()) == 1)
    }
  }

  @Test("what is stored is no key, no password and no token, in clear or as a digest that can be tried out")
  func stored() async throws {
    try await ThreeApps.run { apps in
      let first = try await apps.messai.post("/v1/sign-up", App.messai.signUp(), key: "the-key-itself")
      let all = try await apps.server.storage.connect(user: Embedded.superuser)
      let rows = try await all.read(nil, "SELECT key, body, sealed_answer FROM gatehouse.idempotency_key")
      await all.stop()
      let row: [[UInt8]] = [try rows[0][0], try rows[0][1], try rows[0][2]]
      let body = Array(App.messai.signUp().utf8)
      #expect(row[1] != SHA256.digest(body) && row[0] != SHA256.digest(Array("the-key-itself".utf8)))
      for secret in [App.password, first.json.refreshToken, first.json.accessToken, "the-key-itself"] {
        #expect(!secret.isEmpty && row.allSatisfy { $0.firstRange(of: Array(secret.utf8)) == nil })
      }
    }
  }

  @Test("a server that is killed in the middle leaves the effect and its answer, or neither")
  func killed() async throws {
    try await Installation.run { place in
      try place.write(PolicyText.withoutTests(try TestLists.policy("messai")), as: .messai)
      try place.gatehouse("db migrate")
      #expect(try place.gatehouse("tenant create messai --policy policies/messai.yaml").exit == 0)
      let users = (0..<12).map { "p\($0)" }
      let server = try await place.serve()
      let client = server.client(.messai)
      @Sendable func signUp(_ name: String) async throws -> TestClient.Answer {
        try await client.post("/v1/sign-up", App.messai.signUp(name), key: "k-\(name)")
      }
      let before = try await atOnce(6) { try await signUp(users[$0]) }
      #expect(before.allSatisfy { $0.status == 201 })
      let all = try await place.superuser()
      @Sendable func count(_ statement: SQL) async throws -> Int { try await all.read(nil, statement)[0][0] }
      let waiting: SQL = """
        SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'gatehouse.account'::regclass
        """
      // The other half stands in the middle when the server is killed: no account is stored then, one of them never.
      let unanswered = try await all.transaction(nil) { transaction in
        _ = try await transaction.query(["LOCK TABLE gatehouse.account IN EXCLUSIVE MODE"])
        async let others = atOnce(6) { try? await signUp(users[6 + $0]) }
        let areInside = try await eventually { try await count(waiting) > 1 }
        #expect(areInside)
        server.kill()
        let before = try await count(waiting)
        let isOneEnded: Bool = try await all.read(
          nil,
          """
          SELECT pg_terminate_backend(min(pid)) FROM pg_locks
            WHERE NOT granted AND relation = 'gatehouse.account'::regclass
          """)[0][0]
        let isGone = try await eventually { try await count(waiting) < before }
        #expect(isOneEnded && isGone)
        return try await others.count { $0 == nil }
      }
      #expect(unanswered == 6)
      // What had reached the database before is still carried out there.
      let isQuiet = try await eventually {
        try await count(
          "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND usename = 'gatehouse_app'") == 0
      }
      #expect(isQuiet)
      let made = try await count("SELECT count(*) FROM gatehouse.account")
      #expect((6..<12).contains(made))
      let torn = try await count(
        """
        SELECT count(*) FROM gatehouse.account AS a FULL JOIN
          (SELECT * FROM gatehouse.idempotency_key WHERE sealed_answer IS NOT NULL) AS k ON k.account_id = a.id
        WHERE a.id IS NULL OR k.account_id IS NULL
        """)
      #expect(torn == 0)
      // As if the claims' time had passed.
      _ = try await all.write(nil, "UPDATE gatehouse.idempotency_key SET claimed_until = 'epoch'")
      let next = try await place.serve()
      var replayed = 0
      for name in users {
        let again = try await next.client(.messai).post("/v1/sign-up", App.messai.signUp(name), key: "k-\(name)")
        #expect(again.status == 201)
        if again.headers["idempotency-replayed"] != nil { replayed += 1 }
        let token = again.json.refreshToken
        let fresh = try await next.client(.messai).post("/v1/token", #"{"refresh_token":"\#(token)"}"#)
        #expect(fresh.status == 200)
      }
      #expect(replayed == made)
      let whole = try await count("SELECT count(*) FROM gatehouse.account")
      #expect(whole == users.count)
      await all.stop()
      #expect(next.stop() == 0)
    }
  }
}
