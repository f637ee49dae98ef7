import GatehouseOutbound
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// DD Ride mails one address ten times a day at most for one purpose.
@Suite("Resets that strangers ask for")
struct ResetAllowanceTests {
  private static let email = App.ride.email()

  /// A rider whose address is proven, and the id that the rider's device keeps.
  private static func run(_ body: (ThreeApps, String) async throws -> Void) async throws {
    try await ThreeApps.run { apps in
      let up = try await apps.signUp(.ride).json
      try await Operator.verify(.ride, "pat", apps)
      try await body(apps, try #require(up["device"]?["id"]?.string))
    }
  }

  /// Asks for resets a minute apart, and answers how many mails came.
  private static func ask(_ times: Int, _ apps: ThreeApps, device: String? = nil) async throws -> Int {
    let before = try await apps.server.mailCount(to: email)
    let device = device.map { #","device":{"id":"\#($0)"}"# } ?? ""
    for _ in 0..<times {
      apps.server.clock.advance(seconds: 61)
      let asked = try await apps.ride.post("/v1/password-reset", #"{"email":"\#(email)"\#(device)}"#)
      #expect(asked.status == 202)
    }
    return try await apps.server.mailCount(to: email) - before
  }

  private static func link(_ apps: ThreeApps) async throws -> String? {
    try await apps.server.latestMail(to: email)?.link
  }

  @Test("T162 strangers leave three of the day's ten mails to devices that the account was signed in on")
  func kept() async throws {
    try await Self.run { apps, device in
      _ = try await Self.ask(20, apps)
      apps.server.clock.advance(seconds: 7200)
      let strangers = try await Self.ask(5, apps)
      let owner = try await Self.ask(5, apps, device: device)
      #expect([strangers, owner] == [0, 3 + 2])  // the third link was mailed again
    }
  }

  @Test("T162 a link that a known device asked for resets the password")
  func works() async throws {
    try await Self.run { apps, device in
      _ = try await Self.ask(20, apps)
      apps.server.clock.advance(seconds: 7200)
      _ = try await Self.ask(1, apps, device: device)
      let token = try #require(try await Self.link(apps)?.split(separator: "=").last)
      let reset = try await apps.ride.post(
        "/v1/password-reset/confirm", #"{"token":"\#(token)","password":"Bobcat99"}"#)
      #expect(reset.status == 204)
    }
  }

  @Test("T162 once the day's mails have run out, the newest living link is mailed again")
  func again() async throws {
    try await Self.run { apps, _ in
      _ = try await Self.ask(7, apps)
      let newest = try await Self.link(apps)
      apps.server.clock.advance(seconds: 600)
      let mails = try await Self.ask(1, apps)
      let mail = try #require(try await apps.server.latestMail(to: Self.email))
      #expect(mails == 1 && mail.link == newest && mail.text.contains("48 minutes"), "\(mail.text)")
    }
  }

  @Test("T162 a link is mailed again three times an hour, and not once it is dead")
  func end() async throws {
    try await Self.run { apps, _ in
      _ = try await Self.ask(7, apps)
      let living = try await Self.ask(10, apps)
      apps.server.clock.advance(seconds: 3600)
      let dead = try await Self.ask(3, apps)
      #expect([living, dead] == [3, 0])
    }
  }

  @Test("T162 a link that was used is not mailed again")
  func used() async throws {
    try await Self.run { apps, _ in
      _ = try await Self.ask(7, apps)
      let token = try #require(try await Self.link(apps)?.split(separator: "=").last)
      let reset = try await apps.ride.post(
        "/v1/password-reset/confirm", #"{"token":"\#(token)","password":"Bobcat99"}"#)
      #expect(reset.status == 204)
      let mails = try await Self.ask(1, apps)
      #expect(mails == 0)
    }
  }

  @Test("T162 another account's device, or a made-up one, is a stranger's")
  func foreign() async throws {
    try await Self.run { apps, _ in
      let mallory = try await apps.signUp(.ride, "mallory").json["device"]?["id"]?.string
      _ = try await Self.ask(20, apps)
      apps.server.clock.advance(seconds: 7200)
      let foreign = try await Self.ask(1, apps, device: mallory)
      let made = try await Self.ask(1, apps, device: "gh_dv_" + String(repeating: "A", count: 43))
      #expect([foreign, made] == [0, 0])
    }
  }
}
