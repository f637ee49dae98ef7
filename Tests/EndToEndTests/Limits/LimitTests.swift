import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("The limits of the apps' own policies")
struct LimitTests {
  private func perAddress(_ app: App) -> Int { app == .ride ? 1000 : 300 }

  private func url(_ apps: ThreeApps, _ app: App, _ path: String) -> String {
    "\(apps.server.url)/t/\(app.rawValue)\(path)"
  }

  @Test("T024 right sign-ins use nothing up, in any spelling, however many", arguments: App.allCases)
  func rightSignIns(app: App) async throws {
    try await ThreeApps.run { apps in
      _ = try await apps.signUp(app)
      let client = apps.client(app)
      var statuses: Set<Int> = []
      for index in 0..<15 {
        let email = index.isMultiple(of: 2) ? app.email() : app.email().uppercased()
        statuses.insert(
          try await client.post("/v1/sign-in", #"{"email":"\#(email)","password":"\#(App.password)"}"#).status)
      }
      #expect(statuses == [200])
    }
  }

  @Test("T024 ten wrong passwords in a quarter of an hour per account, whatever right ones come between")
  func wrongSignIns() async throws {
    try await ThreeApps.run(policy: { PolicyText.limits("sign_in_per_account: 10/15m", in: $1) }) { apps in
      let app = App.messai
      _ = try await apps.signUp(app)
      for round in 0..<5 {
        for _ in 0..<2 {
          let wrong = try await apps.signIn(app, password: App.otherPassword)
          #expect(wrong.status == 401, "\(round)")
        }
        // Clears what delays, and no count but its own.
        if round < 4 { _ = try await apps.signIn(app) }
      }
      apps.server.clock.advance(seconds: 100)
      let hashes = apps.server.hashesDone
      let eleventh = try await apps.signIn(app)
      #expect(eleventh.status == 429 && eleventh.code == "too_many_attempts" && eleventh.retryAfter == 800)
      #expect(apps.server.hashesDone == hashes)  // refused before any work
      #expect(try await apps.signIn(app, "other").code == "invalid_credentials")
      apps.server.clock.advance(seconds: 799)
      #expect(try await apps.signIn(app).retryAfter == 1)
      apps.server.clock.advance(seconds: 1)
      #expect(try await apps.signIn(app).status == 200)
    }
  }

  @Test("T013 ten right sign-ins at once all succeed", arguments: App.allCases)
  func tenAtOnce(app: App) async throws {
    try await ThreeApps.run { apps in
      _ = try await apps.signUp(app)
      let answers = try await atOnce(10) { _ in try await apps.signIn(app) }
      #expect(answers.map(\.status) == Array(repeating: 200, count: 10))
    }
  }

  @Test(
    "T021 T026 guessing meets the same delays and the same end, whether the account exists or not",
    arguments: App.allCases)
  func guessing(app: App) async throws {
    try await ThreeApps.share { apps in
      _ = try await apps.signUp(app)
      var known: [TestClient.Answer] = []
      var unknown: [TestClient.Answer] = []
      let before = apps.server.hashesDone
      for _ in 0..<12 { known.append(try await apps.signIn(app, password: App.otherPassword)) }
      let after = apps.server.hashesDone
      for _ in 0..<12 { unknown.append(try await apps.signIn(app, "nobody", password: App.otherPassword)) }
      #expect(known.map(\.seen) == unknown.map(\.seen))
      #expect(after - before == apps.server.hashesDone - after)  // and both cost the server the same
      #expect(known.map(\.status) == Array(repeating: 401, count: 5) + Array(repeating: 429, count: 7))
      #expect(known[5].json["limit"] == .string("sign_in_backoff"))
      #expect(known.dropFirst(5).map(\.retryAfter) == Array(repeating: 1, count: 7))
      // The right password gets the same refusal inside the delay.
      #expect(try await apps.signIn(app).seen == known.last?.seen)
    }
  }

  @Test("T023 sign-ins per address: a success in between gives back its own count alone", arguments: App.allCases)
  func signInsPerAddress(app: App) async throws {
    try await ThreeApps.run { apps in
      _ = try await apps.signUp(app)
      #expect(try await apps.signIn(app).status == 200)
      // A text that is too long to be a password is refused without being hashed: this is a test of counting.
      let long = String(repeating: "x", count: 1025)
      let allowed = perAddress(app)
      for start in stride(from: 0, to: allowed, by: 25) {
        let answers = try await atOnce(min(25, allowed - start)) { index in
          try await apps.signIn(app, "p\(start + index)", password: long)
        }
        #expect(answers.allSatisfy { $0.code == "invalid_credentials" })
      }
      let refused = try await apps.signIn(app)
      #expect(refused.status == 429 && refused.code == "too_many_attempts" && refused.retryAfter == 1)
      // Other apps and other addresses are not concerned.
      let other: App = app == .messai ? .vibes : .messai
      #expect(try await apps.signIn(other).code == "invalid_credentials")
      #expect(try Elsewhere.post(url(apps, app, "/v1/sign-in"), app.signIn()) == 200)
      apps.server.clock.advance(seconds: 900)
      #expect(try await apps.signIn(app).status == 200)
    }
  }

  @Test("T164 accounts made per address are counted, forms that were refused are not", arguments: App.allCases)
  func signUpsPerAddress(app: App) async throws {
    try await ThreeApps.run(policy: { PolicyText.limits("sign_up_per_ip: 3/1h", in: $1) }) { apps in
      let client = apps.client(app)
      #expect(try await apps.signUp(app).status == 201)
      // By the policy, and by an address that is taken.
      let answers = try await atOnce(10) { _ in try await client.post("/v1/sign-up") }
      #expect(answers.allSatisfy { $0.status == 422 })
      for _ in 0..<4 { #expect(try await apps.signUp(app).code == "account_exists") }
      for name in ["ann", "bob"] { #expect(try await apps.signUp(app, name).status == 201) }
      let refused = try await apps.signUp(app, "kay")
      #expect(refused.status == 429 && refused.code == "rate_limited" && refused.retryAfter == 3600)
      #expect(refused.json["limit"] == .string("sign_up_per_ip"))
      let other: App = app == .messai ? .vibes : .messai
      #expect(try await apps.signUp(other).status == 201)
      #expect(try Elsewhere.post(url(apps, app, "/v1/sign-up"), app.signUp("lou")) == 201)
      apps.server.clock.advance(seconds: 3600)
      #expect(try await apps.signUp(app, "kay").status == 201)
    }
  }

  @Test("T165 forms that were refused come to an end: ten for each account that an address may make")
  func refusedForms() async throws {
    try await ThreeApps.run(policy: { PolicyText.limits("sign_up_per_ip: 1/1h", in: $1) }) { apps in
      let client = apps.client(.messai)
      #expect(try await apps.signUp(.messai).status == 201)
      apps.server.clock.advance(seconds: 3600)
      var codes: [String?] = []
      for _ in 0..<5 { codes.append(try await client.post("/v1/sign-up").code) }
      for _ in 0..<6 { codes.append(try await apps.signUp(.messai).code) }
      #expect(
        codes == Array(repeating: "validation_failed", count: 5) + Array(repeating: "account_exists", count: 5)
          + ["rate_limited"])
      #expect(try await client.post("/v1/sign-up").json["limit"] == .string("sign_up_refused_per_ip"))
    }
  }

  @Test("resend pressed many times: one mail a minute, and the answer says how long to wait", arguments: App.allCases)
  func cooldown(app: App) async throws {
    try await ThreeApps.run { apps in
      let token = try await apps.signUp(app).json.accessToken
      let client = apps.client(app)
      func resend() async throws -> TestClient.Answer { try await client.post("/v1/email-verification", token: token) }
      let early = try await resend()
      #expect(early.status == 429 && early.code == "cooldown" && early.retryAfter == 60)
      #expect(early.json["retry_after"] == .integer(60))
      apps.server.clock.advance(seconds: 59)
      #expect(try await resend().retryAfter == 1)
      // Without a session no client learns whether something was sent.
      let byAddress = #"{"email":"\#(app.email())"}"#
      let quiet = try await client.post("/v1/email-verification", byAddress)
      #expect(quiet.status == 202 && quiet.json["resend_after"] == .integer(60))
      #expect(try await apps.server.mailCount(to: app.email()) == 1)
      apps.server.clock.advance(seconds: 1)
      let pressed = try await atOnce(10) { _ in try await client.post("/v1/email-verification", token: token) }
      #expect(pressed.count { $0.status == 202 } == 1)
      #expect(pressed.count { $0.code == "cooldown" && $0.retryAfter == 60 } == 9)
      #expect(try await apps.server.mailCount(to: app.email()) == 2)
      apps.server.clock.advance(seconds: 60)
      #expect(try await client.post("/v1/email-verification", byAddress).seen == quiet.seen)
      #expect(try await apps.server.mailCount(to: app.email()) == 3)
    }
  }

  @Test("ten verification mails a day, for all clients together", arguments: App.allCases)
  func mailsPerDay(app: App) async throws {
    try await ThreeApps.run { apps in
      let up = try await apps.signUp(app).json
      let client = apps.client(app)
      func resend(_ token: String) async throws -> TestClient.Answer {
        // A mail whose code another one ends is sent before that.
        try await apps.server.deliverMail()
        apps.server.clock.advance(seconds: 60)
        return try await client.post("/v1/email-verification", token: token)
      }
      for _ in 0..<9 { #expect(try await resend(up.accessToken).status == 202) }
      let eleventh = try await resend(up.accessToken)
      #expect(eleventh.status == 429 && eleventh.code == "rate_limited" && eleventh.retryAfter == 86_400 - 600)
      #expect(try await client.post("/v1/email-verification", #"{"email":"\#(app.email())"}"#).status == 202)
      #expect(try await apps.server.mailCount(to: app.email()) == 10)
      // Another purpose has a count of its own.
      #expect(try await client.post("/v1/password-reset", #"{"email":"\#(app.email())"}"#).status == 202)
      #expect(try await apps.server.mailCount(to: app.email()) == 11)
      apps.server.clock.advance(seconds: 86_400 - 600)
      let next = try await apps.refresh(app, up.refreshToken).json
      #expect(try await resend(next.accessToken).status == 202)
    }
  }
}
