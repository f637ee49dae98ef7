import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseAdminWire
import GatehouseWire
import Testing

@Suite("Guesses from an address that many people share")
struct SharedAddressTests {
  private let app = App.ride
  private let few = "sign_in_per_ip: 3/15m"

  private func run(_ limits: String, _ body: (ThreeApps) async throws -> Void) async throws {
    try await ThreeApps.run(policy: { PolicyText.limits(limits, in: $1) }, body)
  }

  /// A neighbour tries a password at one account after another, until the address is refused.
  private func spray(_ apps: ThreeApps) async throws {
    for number in 0..<20 {
      let guess = try await apps.signIn(app, "p\(number)", password: "wrong")
      if guess.code == "too_many_attempts" { return #expect(guess.json["limit"] == .string("sign_in_per_ip")) }
      #expect(guess.code == "invalid_credentials")
    }
    Issue.record("the address was never refused")
  }

  private func signIn(_ apps: ThreeApps, on device: String) async throws -> TestClient.Answer {
    let body = #"{"email":"\#(app.email())","password":"\#(App.password)","device":{"id":"\#(device)"}}"#
    return try await apps.ride.post("/v1/sign-in", body)
  }

  @Test("T210 a known device signs in while a neighbour guesses")
  func knownDevice() async throws {
    try await run(few) { apps in
      let device = try #require(try await apps.signUp(app).json["device"]?["id"]?.string)
      try await spray(apps)
      #expect(try await signIn(apps, on: device).status == 200)
    }
  }

  @Test("T210 a known device proves its password while a neighbour guesses")
  func freshProof() async throws {
    try await run(few) { apps in
      let token = try await apps.signUp(app).json.accessToken
      try await spray(apps)
      let proof = try await apps.ride.post(
        "/v1/reauthenticate", #"{"password":"\#(App.password)"}"#, token: token)
      #expect(proof.status == 200)
    }
  }

  @Test("T210 a device that is not the account's has no counts of its own")
  func foreignDevice() async throws {
    try await run(few) { apps in
      _ = try await apps.signUp(app)
      let foreign = try #require(try await apps.signUp(app, "kay").json["device"]?["id"]?.string)
      try await spray(apps)
      #expect(try await signIn(apps, on: foreign).code == "too_many_attempts")
    }
  }

  @Test("T210 beyond the limit each guess waits twice as long, thirty seconds at most")
  func delays() async throws {
    try await run(few) { apps in
      try await spray(apps)
      var waits: [Int?] = []
      for number in 0..<8 {
        let refused = try await apps.signIn(app, "q\(number)", password: "wrong")
        waits.append(refused.retryAfter)
        apps.server.clock.advance(seconds: Double(refused.retryAfter ?? 0))
        #expect(try await apps.signIn(app, "q\(number)", password: "wrong").code == "invalid_credentials")
      }
      #expect(waits == [1, 2, 4, 8, 16, 30, 30, 30])
    }
  }

  @Test("T210 a right password on a new device waits seconds, and delays no neighbour")
  func newDevice() async throws {
    try await run(few) { apps in
      _ = try await apps.signUp(app)
      _ = try await apps.signUp(app, "kay")
      try await spray(apps)
      apps.server.clock.advance(seconds: 1)
      #expect(try await apps.signIn(app).status == 200)
      #expect(try await apps.signIn(app, "kay").status == 200)
    }
  }

  @Test("T210 of a hundred guesses at the same moment beyond the limit none is verified")
  func atTheSameMoment() async throws {
    try await run(few) { apps in
      try await spray(apps)
      let app = app
      let answers = try await atOnce(100) { try await apps.signIn(app, "r\($0)", password: "wrong") }
      #expect(answers.allSatisfy { $0.code == "too_many_attempts" })
    }
  }

  @Test("T210 a limit of one delays from the second guess on")
  func one() async throws {
    try await run("sign_in_per_ip: 1/15m") { apps in
      let first = try await apps.signIn(app, "p", password: "wrong")
      #expect(first.code == "invalid_credentials")
      let second = try await apps.signIn(app, "q", password: "wrong")
      #expect(second.retryAfter == 1)
    }
  }

  @Test("T210 wrong codes from one address delay a neighbour's code by seconds")
  func codes() async throws {
    try await run("code_per_ip: 3/1h") { apps in
      _ = try await apps.signUp(app)
      func type(_ code: String, of email: String) async throws -> TestClient.Answer {
        try await apps.ride.post(
          "/v1/email-verification/confirm",
          #"{"email":"\#(email)","code":"\#(code)","password":"\#(App.password)"}"#)
      }
      for name in ["ann", "bob", "cat"] {
        _ = try await apps.signUp(app, name)
        let code = try #require(try await apps.server.latestMail(to: app.email(name))?.code)
        let wrong = try await type(code == "111111" ? "222222" : "111111", of: app.email(name))
        #expect(wrong.code == "code_invalid")
      }
      let right = try #require(try await apps.server.latestMail(to: app.email())?.code)
      #expect(try await type(right, of: app.email()).retryAfter == 1)
      apps.server.clock.advance(seconds: 1)
      #expect(try await type(right, of: app.email()).status == 200)
    }
  }

  @Test("T211 ten wrong passwords elsewhere keep the owner's new device waiting for seconds", arguments: App.allCases)
  func elsewhere(app: App) async throws {
    try await ThreeApps.run { apps in
      _ = try await apps.signUp(app)
      let url = "\(apps.server.url)/t/\(app.rawValue)/v1/sign-in"
      var guesses = 0
      while guesses < 10 {
        if try Elsewhere.post(url, app.signIn(password: "wrong")) == 401 { guesses += 1 }
        apps.server.clock.advance(seconds: 1)
      }
      apps.server.clock.advance(seconds: 32)
      #expect(try await apps.signIn(app).status == 200)
    }
  }

  @Test("T211 a limit for each account counts the attempts of each network address for itself")
  func perAccount() async throws {
    try await run("sign_in_per_account: 3/15m") { apps in
      _ = try await apps.signUp(app)
      let url = "\(apps.server.url)/t/\(app.rawValue)/v1/sign-in"
      var statuses: [Int] = []
      for _ in 0..<4 { statuses.append(try Elsewhere.post(url, app.signIn(password: "wrong"))) }
      #expect(statuses == [401, 401, 401, 429])
      #expect(try await apps.signIn(app).status == 200)
    }
  }

  @Test("T211 an operator who unlocks an account clears its counts at every network address")
  func unlocked() async throws {
    try await run("sign_in_per_account: 3/15m") { apps in
      _ = try await apps.signUp(app)
      for _ in 0..<3 { _ = try await apps.signIn(app, password: "wrong") }
      #expect(try await apps.signIn(app).code == "too_many_attempts")
      _ = try await AdminRoutes.run(
        UnlockUserOperation.self, .init(tenant: app.rawValue, user: app.email()), apps.asOperator)
      #expect(try await apps.signIn(app).status == 200)
    }
  }

  @Test("T210 people who sign in by a provider use up no guesses of their address")
  func providers() async throws {
    try await ProvidedApps.run(policy: { PolicyText.limits(few, in: $1) }) { provided in
      var statuses: [Int] = []
      for number in 0..<8 { statuses.append(try await provided.google(.vibes, "g\(number)").status) }
      #expect(statuses == Array(repeating: 200, count: 8))
    }
  }

  @Test("T183 a third of the tenant's sign-ins is kept for devices that accounts know")
  func keptOfTenant() async throws {
    try await run("sign_in_per_tenant: 6/15m") { apps in
      let device = try #require(try await apps.signUp(app).json["device"]?["id"]?.string)
      var codes: [String?] = []
      for number in 0..<5 { codes.append(try await apps.signIn(app, "p\(number)", password: "wrong").code) }
      #expect(codes == Array(repeating: "invalid_credentials", count: 4) + ["too_many_attempts"])
      #expect(try await signIn(apps, on: device).status == 200)
    }
  }
}
