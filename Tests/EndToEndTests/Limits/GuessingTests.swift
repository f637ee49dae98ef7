import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePostgres
import GatehouseAdminWire
import GatehouseWire
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Guessing passwords and codes")
struct GuessingTests {
  private let app = App.ride

  @Test("T022 of two thousand guesses at once on two servers, exactly five cost a hash, and then one a delay")
  func storm() async throws {
    // The policy's own limits would refuse sooner; what is shown here holds without any. Real hashes: while the first
    // are under way, all others have come.
    try await ThreeApps.run(cost: .owaspMinimum, policy: { PolicyText.limits("sign_up_per_ip: 100/1h", in: $1) }) {
      one in
      try await one.withSibling { other in
        _ = try await one.signUp(app)
        let clients = [one.client(app), other.client(app)]
        func guess(_ count: Int) async throws -> (hashes: Int, refused: Int) {
          let before = one.server.hashesDone + other.server.hashesDone
          let codes = try await atOnce(count) {
            try await clients[$0 % 2].post("/v1/sign-in", app.signIn(password: "wrong-\($0)")).code
          }
          return (
            one.server.hashesDone + other.server.hashesDone - before, codes.count { $0 == "too_many_attempts" }
          )
        }
        #expect(try await guess(2000) == (5, 1995))
        one.server.clock.advance(seconds: 1)
        #expect(try await guess(200) == (1, 199))
      }
    }
  }

  @Test("T020 the hundredth failure disables the password, for servers that start later too, until a reset")
  func hardStop() async throws {
    try await ThreeApps.run { one in
      let refresh = try await one.signUp(app).json.refreshToken
      for number in 1...100 {
        let answer = try await one.signIn(app, password: "wrong")
        #expect(answer.code == "invalid_credentials", "\(number)")
        one.server.clock.advance(seconds: 900)
      }
      try await one.withSibling { later in
        await one.server.stop()
        later.server.clock.advance(seconds: 30 * 86_400)
        let stopped = try await later.signIn(app)
        #expect(stopped.code == "too_many_attempts" && stopped.retryAfter == 86_400)
        // Sessions are not concerned; and the reader of the mail opens the account again.
        #expect(try await later.refresh(app, refresh).status == 200)
        let id = try await later.ride.post("/v1/password-reset", #"{"email":"\#(app.email())"}"#).resetID
        let code = try #require(try await later.server.latestMail(to: app.email())).code
        let body = """
          {"reset_id":"\(id)","email":"\(app.email())","code":"\(try #require(code))","password":"\(App.otherPassword)"}
          """
        #expect(try await later.ride.post("/v1/password-reset/confirm", body).status == 204)
        #expect(try await later.signIn(app, password: App.otherPassword).status == 200)
      }
    }
  }

  @Test("T020 an operator unlocks a password that is disabled, and the right one signs in at once")
  func unlocked() async throws {
    try await ThreeApps.run { apps in
      _ = try await apps.signUp(app)
      for _ in 1...100 {
        _ = try await apps.signIn(app, password: "wrong")
        apps.server.clock.advance(seconds: 900)
      }
      let disabled = try await apps.signIn(app).json["limit"]
      _ = try await AdminRoutes.run(
        UnlockUserOperation.self, .init(tenant: app.rawValue, user: app.email()), apps.asOperator)
      #expect(disabled == .string("password_disabled"))
      #expect(try await apps.signIn(app).status == 200)
    }
  }

  @Test("T020 an unlocked account counts wrong passwords from the first one again")
  func unlockedCounts() async throws {
    try await ThreeApps.run { apps in
      _ = try await apps.signUp(.messai)
      for _ in 1...12 { _ = try await apps.signIn(.messai, password: App.otherPassword) }
      _ = try await AdminRoutes.run(
        UnlockUserOperation.self, .init(tenant: "messai", user: App.messai.email()), apps.asOperator)
      var codes: [String?] = []
      for _ in 1...6 { codes.append(try await apps.signIn(.messai, password: App.otherPassword).code) }
      #expect(codes == Array(repeating: "invalid_credentials", count: 5) + ["too_many_attempts"])
    }
  }

  @Test("T020 T021 failures and delays are those of the account, also for a server that starts after them")
  func restart() async throws {
    try await ThreeApps.run { one in
      _ = try await one.signUp(app)
      for _ in 0..<5 { #expect(try await one.signIn(app, password: "wrong").code == "invalid_credentials") }
      try await one.withSibling { later in
        await one.server.stop()
        let early = try await later.signIn(app)
        later.server.clock.advance(seconds: 1)
        let late = try await later.signIn(app)
        #expect(early.code == "too_many_attempts" && late.status == 200)
      }
    }
  }

  @Test("T021 strangers lock no user out of a known device; the device has a failure count of its own")
  func knownDevice() async throws {
    try await ThreeApps.run { apps in
      func signIn(_ device: String?, password: String = App.password) async throws -> TestClient.Answer {
        let brought = device.map { #","device":{"id":"\#($0)"}"# } ?? ""
        return try await apps.ride.post(
          "/v1/sign-in", #"{"email":"\#(app.email())","password":"\#(password)"\#(brought)}"#)
      }
      let mine = try #require(try await apps.signUp(app).json["device"]?["id"]?.string)
      let others = try #require(try await apps.signUp(app, "mallory").json["device"]?["id"]?.string)
      // Ten attempts of strangers: back-off, and the policy's own limit.
      for _ in 0..<5 { _ = try await signIn(nil, password: "wrong") }
      var strangers: [String?] = []
      for device in [nil, others, mine + "x", "gh_dv_made-up"] { strangers.append(try await signIn(device).code) }
      #expect(strangers == Array(repeating: "too_many_attempts", count: 4))
      let known = try await signIn(mine)
      #expect(known.status == 200)
      // That success clears nothing of theirs.
      let still = try await signIn(nil)
      #expect(still.code == "too_many_attempts")
      // A thief of the device guesses no more often than other clients, and locks out no other device.
      var guesses: [Int] = []
      for _ in 0..<7 { guesses.append(try await signIn(mine, password: "wrong").status) }
      #expect(guesses == [401, 401, 401, 401, 401, 429, 429])
      apps.server.clock.advance(seconds: 900)
      let later = try await signIn(nil)
      #expect(later.status == 200)
    }
  }

  @Test(
    "T021 strangers block no reauthentication, new password or deletion: a session's device has its own lane"
  )
  func knownDeviceInside() async throws {
    try await ThreeApps.run { apps in
      let up = try await apps.signUp(app).json
      func prove(_ token: String, password: String = App.password) async throws -> TestClient.Answer {
        try await apps.ride.post("/v1/reauthenticate", #"{"password":"\#(password)"}"#, token: token)
      }
      func strangers() async throws {
        for _ in 0..<20 where try await apps.signIn(app, password: "wrong").code == "too_many_attempts" { return }
        Issue.record("guesses were never refused")
      }
      try await strangers()
      let proven = try await prove(up.accessToken)
      #expect(proven.status == 200)
      // A success there clears nothing of theirs; and the lane is that of sign-ins on the same device.
      #expect(try await apps.signIn(app).code == "too_many_attempts")
      let token = proven.json.accessToken
      var guesses: [Int] = []
      for _ in 0..<7 { guesses.append(try await prove(token, password: "wrong").status) }
      #expect(guesses == [401, 401, 401, 401, 401, 429, 429])
      let device = up["device"]?["id"]?.string ?? ""
      let again = try await apps.ride.post(
        "/v1/sign-in", #"{"email":"\#(app.email())","password":"\#(App.password)","device":{"id":"\#(device)"}}"#)
      #expect(again.code == "too_many_attempts")
      // Once the device is forgotten, its sessions' failures count with those of all devices again.
      apps.server.clock.advance(seconds: 900)
      let other = try await apps.signIn(app).json
      let all = try await apps.server.storage.connect(user: Embedded.superuser)
      _ = try await all.write(nil, ["UPDATE gatehouse.device SET token_hash = NULL"])
      await all.stop()
      try await strangers()
      #expect(try await prove(other.accessToken).code == "too_many_attempts")
    }
  }

  @Test("T030 a client that claims another address is counted by its own address")
  func spoofed() async throws {
    try await ThreeApps.run(policy: { PolicyText.limits("sign_in_per_ip: 3/15m", in: $1) }) { apps in
      func guess(_ number: Int) async throws -> TestClient.Answer {
        try await apps.ride.send(
          "POST", "/v1/sign-in", app.signIn("p\(number)"),
          headers: [
            "X-Forwarded-For": "203.0.113.\(number)", "X-Real-IP": "203.0.113.\(number)",
            "Forwarded": "for=203.0.113.\(number)", "CF-Connecting-IP": "203.0.113.\(number)",
            "True-Client-IP": "203.0.113.\(number)",
          ])
      }
      var codes: [String?] = []
      for number in 0..<4 { codes.append(try await guess(number).code) }
      #expect(codes == Array(repeating: "invalid_credentials", count: 3) + ["too_many_attempts"])
    }
  }

  @Test(
    "T023 sign-ins of a tenant as a whole: a success in between gives back its own count alone, other tenants go on")
  func perTenant() async throws {
    try await ThreeApps.run(policy: { $0 == app ? PolicyText.limits("sign_in_per_tenant: 3/15m", in: $1) : $1 }) {
      apps in
      _ = try await apps.signUp(app)
      for name in ["nobody", "pat", "nobody", "pat", "nobody"] { _ = try await apps.signIn(app, name) }
      #expect(try await apps.signIn(app).retryAfter == 900)
      let url = "\(apps.server.url)/t/\(app.rawValue)/v1/sign-in"
      #expect(try Elsewhere.post(url, app.signIn()) == 429)
      #expect(try await apps.signIn(.vibes).code == "invalid_credentials")
    }
  }

  @Test("T025 a new code brings no new tries for ever: thirty a day in all for an account, and links go on working")
  func codes() async throws {
    try await ThreeApps.run { apps in
      let token = try await apps.signUp(app).json.accessToken
      func type(_ code: String) async throws -> String? {
        try await apps.ride.post(
          "/v1/email-verification/confirm", #"{"email":"\#(app.email())","code":"\#(code)"}"#, token: token
        ).code
      }
      for _ in 0..<6 {
        apps.server.clock.advance(seconds: 60)
        #expect(try await apps.ride.post("/v1/email-verification", token: token).status == 202)
        let right = try #require(try await apps.server.latestMail(to: app.email())).code
        for _ in 0..<5 { #expect(try await type(right == "111111" ? "222222" : "111111") == "code_invalid") }
      }
      apps.server.clock.advance(seconds: 60)
      #expect(try await apps.ride.post("/v1/email-verification", token: token).status == 202)
      let mail = try #require(try await apps.server.latestMail(to: app.email()))
      #expect(try await type(mail.code ?? "") == "rate_limited")
      let link = try #require(mail.link?.split(separator: "=").last)
      let linked = try await apps.ride.post(
        "/v1/email-verification/confirm", #"{"token":"\#(link)"}"#, token: token)
      #expect(linked.status == 200)
    }
  }
}
