import GatehouseAdminWire
import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("Two servers on one database")
struct ReplicaTests {
  /// Two servers of one installation.
  private func run(
    cost: PasswordCost = .cheapest, _ body: (ThreeApps, ThreeApps) async throws -> Void
  ) async throws {
    try await ThreeApps.run(cost: cost) { one in try await one.withSibling { other in try await body(one, other) } }
  }

  @Test(
    "T034 fifty redemptions of one link at once: one succeeds, the others all hear the same", arguments: App.allCases)
  func oneLink(app: App) async throws {
    try await run { one, other in
      let up = try await one.signUp(app).json
      let link = try #require(try await one.server.latestMail(to: app.email())?.link)
      let body = #"{"token":"\#(try #require(link.split(separator: "=").last))"}"#
      let clients = [one.client(app), other.client(app)]
      let answers = try await atOnce(50) {
        try await clients[$0 % 2].post("/v1/email-verification/confirm", body, token: up.accessToken)
      }
      #expect(answers.count { $0.status == 200 } == 1)
      let failures = answers.filter { $0.status != 200 }
      #expect(Set(failures.map(\.seen)).count == 1 && failures.first?.code == "code_used")
      #expect(try await other.me(app, up.accessToken).json["user"]?["email_verified"] == .bool(true))
    }
  }

  @Test("T034 six digits typed on both at once win once, and the new password is the winner's", arguments: App.allCases)
  func oneCode(app: App) async throws {
    try await run { one, other in
      _ = try await one.signUp(app)
      one.server.clock.advance(seconds: 1)  // the newest mail is told by its time
      let asked = try await other.client(app).post("/v1/password-reset", #"{"email":"\#(app.email())"}"#)
      let code = try #require(try await one.server.latestMail(to: app.email())?.code)
      let clients = [one.client(app), other.client(app)]
      let answers = try await atOnce(4) { index in
        try await clients[index % 2].post(
          "/v1/password-reset/confirm",
          #"{"reset_id":"\#(asked.resetID)","email":"\#(app.email())","code":"\#(code)","password":"Nw5?bcRx\#(index)"}"#
        )
      }
      #expect(answers.count { $0.status == 204 } == 1 && answers.count { $0.code == "code_used" } == 3)
      for (index, answer) in answers.enumerated() {
        let back = try await other.signIn(app, password: "Nw5?bcRx\(index)")
        #expect(back.status == (answer.status == 204 ? 200 : 401))
      }
    }
  }

  @Test("T033 five wrong digits are five on both together")
  func triesAtCode() async throws {
    try await run { one, other in
      let token = try await one.signUp(.ride).json.accessToken
      let code = try #require(try await one.server.latestMail(to: App.ride.email())?.code)
      let wrong = code == "111111" ? "222222" : "111111"
      func type(_ apps: ThreeApps, _ digits: String) async throws -> TestClient.Answer {
        try await apps.ride.post(
          "/v1/email-verification/confirm", #"{"email":"\#(App.ride.email())","code":"\#(digits)"}"#,
          token: token)
      }
      for index in 0..<5 { #expect(try await type(index % 2 == 0 ? one : other, wrong).code == "code_invalid") }
      #expect(try await type(other, code).code == "code_invalid")
    }
  }

  @Test("T055 fifty refreshes of one token at once: one child, and a family that lives", arguments: App.allCases)
  func refresh(app: App) async throws {
    try await run { one, other in
      let up = try await one.signUp(app).json
      let body = #"{"refresh_token":"\#(up.refreshToken)"}"#
      let clients = [one.client(app), other.client(app)]
      let answers = try await atOnce(50) { try await clients[$0 % 2].post("/v1/token", body) }
      #expect(answers.allSatisfy { $0.status == 200 })
      #expect(Set(answers.map(\.json.refreshToken)).count == 1)
      let child = try await other.refresh(app, answers[0].json.refreshToken)
      #expect(child.status == 200)
      // T053: the parent, once its child is spent and the grace is over, ends the family, on both.
      #expect(try await one.refresh(app, up.refreshToken).code == "conflict")
      one.server.clock.advance(seconds: 31)
      other.server.clock.advance(seconds: 31)
      #expect(try await one.refresh(app, up.refreshToken).code == "session_revoked")
      #expect(try await other.refresh(app, child.json.refreshToken).code == "session_revoked")
    }
  }

  @Test("T049 T050 a user signed out or disabled on one server is out on the other at the next request")
  func ended() async throws {
    try await run { one, other in
      let up = try await one.signUp(.messai).json
      #expect(try await other.me(.messai, up.accessToken).status == 200)
      #expect(try await one.messai.post("/v1/sign-out", token: up.accessToken).status == 204)
      #expect(try await other.me(.messai, up.accessToken).code == "session_revoked")
      #expect(try await other.refresh(.messai, up.refreshToken).code == "session_revoked")
      let back = try await other.signIn(.messai).json
      try await Operator.disable(.messai, "pat", one)
      #expect(try await other.me(.messai, back.accessToken).code == "session_revoked")
      #expect(try await other.signIn(.messai).code == "account_disabled")
    }
  }

  @Test("limits and delays are counted by both together", arguments: App.allCases)
  func limits(app: App) async throws {
    try await run { one, other in
      _ = try await one.signUp(app)
      let clients = [one.client(app), other.client(app)]
      // T013: right passwords at the same moment use up nothing, on either server.
      let right = try await atOnce(20) { try await clients[$0 % 2].post("/v1/sign-in", app.signIn()) }
      #expect(right.allSatisfy { $0.status == 200 })
      // T022: of wrong ones at the same moment no more than the limit are verified by both together.
      let wrong = app.signIn(password: App.otherPassword)
      let answers = try await atOnce(20) { try await clients[$0 % 2].post("/v1/sign-in", wrong) }
      #expect((1...10).contains(answers.count { $0.code == "invalid_credentials" }))
      #expect(answers.allSatisfy { $0.status == 401 || ($0.status == 429 && $0.retryAfter != nil) })
      // T021: five wrong ones, whichever server hears them, and the right one has to wait on both.
      for index in 0..<5 {
        let apps = index % 2 == 0 ? one : other
        #expect(try await apps.signIn(app, "kay", password: App.otherPassword).code == "invalid_credentials")
      }
      for apps in [one, other] { #expect(try await apps.signIn(app, "kay").code == "too_many_attempts") }
      // The cooldown of a mail is one, too.
      let token = try await one.signUp(app, "lou").json.accessToken
      #expect(try await other.client(app).post("/v1/email-verification", token: token).retryAfter == 60)
    }
  }

  @Test("T022 of a hundred wrong guesses at once on both, exactly five cost a hash")
  func guesses() async throws {
    // Real hashes: while the first are under way, all others have come.
    try await run(cost: .owaspMinimum) { one, other in
      _ = try await one.signUp(.messai)
      let before = one.server.hashesDone + other.server.hashesDone
      let clients = [one.messai, other.messai]
      let answers = try await atOnce(100) {
        try await clients[$0 % 2].post("/v1/sign-in", App.messai.signIn(password: "wrong-\($0)"))
      }
      #expect(answers.count { $0.code == "invalid_credentials" } == 5)
      #expect(answers.count { $0.code == "too_many_attempts" } == 95)
      #expect(one.server.hashesDone + other.server.hashesDone - before == 5)
    }
  }

  @Test(
    "a policy applied on one server judges on the other without a request to reload, and answers name the revision")
  func policy() async throws {
    try await run { one, other in
      #expect(try await other.signUp(.ride, password: "Wildcat1").revision == 1)
      let text = PolicyText.withoutTests(try TestLists.policy("dd-ride"))
      let longer = text.replacing("min_length: 8}", with: "min_length: 9}")
      #expect(try await one.server.apply(longer, to: "dd-ride") == .applied(revision: 2))
      let heard = try await other.hears(of: 2, .ride)
      #expect(heard)
      let refused = try await other.signUp(.ride, "kay", password: "Wildcat1")
      #expect(refused.status == 422 && refused.rules == ["password.min8"] && refused.revision == 2)
      let taken = try await other.signUp(.ride, "kay", password: "Wildcat12")
      #expect(taken.status == 201 && taken.revision == 2 && taken.json["policy"]?["revision"] == .integer(2))
      #expect(try Token.claims(of: taken.json.accessToken)["pol"] == .integer(2))
      // Other apps are untouched.
      #expect(try await other.signUp(.messai).revision == 1)
    }
  }

  @Test("keys rotated on one sign and verify on the other")
  func keys() async throws {
    try await run { one, other in
      let up = try await one.signUp(.vibes).json
      for _ in 0..<2 { _ = try await RotateKeys.run(.init(tenant: "vibes", now: true), one.asOperator) }
      try await one.reload()
      let fresh = try await one.refresh(.vibes, up.refreshToken).json
      // The other hears of it by itself; a token it cannot know yet must not be refused for good.
      let known = try await eventually { try await other.me(.vibes, fresh.accessToken).status == 200 }
      #expect(known)
      #expect(try await other.me(.vibes, up.accessToken).status == 200)
      #expect(try await other.vibes.get("/.well-known/jwks.json").body == one.vibes.get("/.well-known/jwks.json").body)
    }
  }
}

extension ThreeApps {
  /// Waits until this server judges by a revision, which it must learn from the database by itself.
  func hears(of revision: Int, _ app: App) async throws -> Bool {
    try await eventually { try await client(app).get("/v1/policy").revision == revision }
  }
}
