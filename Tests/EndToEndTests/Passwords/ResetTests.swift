import GatehouseAdminWire
import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("A reset outlives what others do")
struct ResetTests {
  private static let email = App.ride.email()

  private static func ask(_ apps: ThreeApps, device: String? = nil) async throws -> String {
    let device = device.map { #","device":{"id":"\#($0)"}"# } ?? ""
    apps.server.clock.advance(seconds: 61)
    let asked = try await apps.ride.post("/v1/password-reset", #"{"email":"\#(email)"\#(device)}"#)
    #expect(asked.status == 202, "\(asked.text)")
    return asked.resetID
  }

  private static func confirm(_ apps: ThreeApps, _ id: String, _ code: String) async throws -> TestClient.Answer {
    try await apps.ride.post(
      "/v1/password-reset/confirm",
      #"{"reset_id":"\#(id)","email":"\#(email)","code":"\#(code)","password":"Bobcat99"}"#)
  }

  private static func change(_ apps: ThreeApps, _ token: String, from: String, to: String) async throws
    -> TestClient.Answer
  {
    try await apps.ride.post(
      "/v1/me/password", #"{"current_password":"\#(from)","password":"\#(to)"}"#, token: token)
  }

  @Test("T181 a thief with the password who goes on changing it ends neither the owner's code nor the link")
  func thief() async throws {
    for isByCode in [true, false] {
      try await ThreeApps.run { apps in
        let token = try await apps.signUp(.ride).json.accessToken
        let id = try await Self.ask(apps)
        let mail = try #require(try await apps.server.latestMail(to: Self.email))
        var current = App.password
        for number in 1...5 {
          #expect(try await Self.change(apps, token, from: current, to: "Wildcat1\(number)").status == 200)
          current = "Wildcat1\(number)"
        }
        let link = mail.link?.split(separator: "=").last ?? ""
        let done =
          isByCode
          ? try await Self.confirm(apps, id, mail.code ?? "")
          : try await apps.ride.post(
            "/v1/password-reset/confirm", #"{"token":"\#(link)","password":"Bobcat99"}"#)
        #expect(done.status == 204, "\(done.text)")
      }
    }
  }

  @Test("T181 an account has ten new passwords an hour by the one before; a reset is none of them")
  func tenChanges() async throws {
    try await ThreeApps.run(policy: { $0 == .ride ? PolicyText.limits("sign_in_per_ip: 1000/1h", in: $1) : $1 }) {
      apps in
      let token = try await apps.signUp(.ride).json.accessToken
      var current = App.password
      for number in 10...19 {
        #expect(try await Self.change(apps, token, from: current, to: "Wildcat1\(number)").status == 200)
        current = "Wildcat1\(number)"
      }
      let eleventh = try await Self.change(apps, token, from: current, to: "Wildcat120")
      #expect(
        eleventh.status == 429 && eleventh.json["limit"] == .string("password_change_per_account"),
        "\(eleventh.text)")
      let id = try await Self.ask(apps)
      #expect(try await Self.confirm(apps, id, try await DigitsDoor.code(apps)).status == 204)
    }
  }

  @Test("T181 a wrong current password uses up no change")
  func wrongCurrent() async throws {
    try await ThreeApps.run(policy: { $0 == .ride ? PolicyText.limits("sign_in_per_ip: 1000/1h", in: $1) : $1 }) {
      apps in
      let token = try await apps.signUp(.ride).json.accessToken
      for _ in 0..<11 {
        _ = try await Self.change(apps, token, from: App.otherPassword, to: "Wildcat19")
        apps.server.clock.advance(seconds: 70)
      }
      #expect(try await Self.change(apps, token, from: App.password, to: "Wildcat19").status == 200)
    }
  }

  @Test("T181 a new password ends a change of address that waits for its mail to be read")
  func changeOfAddress() async throws {
    try await ThreeApps.run { apps in
      let token = try await apps.signUp(.ride).json.accessToken
      let body = #"{"email":"moved@ksu.edu","password":"\#(App.password)"}"#
      #expect(try await apps.ride.post("/v1/me/email", body, token: token).status == 202)
      let code = try await DigitsDoor.code(apps, "moved")
      #expect(try await Self.change(apps, token, from: App.password, to: App.otherPassword).status == 200)
      let confirmed = try await apps.ride.post(
        "/v1/email-change/confirm", #"{"email":"moved@ksu.edu","code":"\#(code)"}"#, token: token)
      #expect(confirmed.code == "code_invalid", "\(confirmed.text)")
    }
  }

  @Test("T181 the link that an operator mailed lives, however many resets strangers ask for")
  func operatorsLink() async throws {
    try await ThreeApps.run { apps in
      _ = try await apps.signUp(.ride)
      apps.server.clock.advance(seconds: 1)
      _ = try await SendUserReset.run(.init(tenant: "dd-ride", user: Self.email), apps.asOperator)
      let link = try await apps.server.latestMail(to: Self.email)?.link?.split(separator: "=").last ?? ""
      for _ in 0..<4 { _ = try await Self.ask(apps) }
      let done = try await apps.ride.post(
        "/v1/password-reset/confirm", #"{"token":"\#(link)","password":"Bobcat99"}"#)
      #expect(done.status == 204, "\(done.text)")
    }
  }

  @Test("T182 the owner's code is good after two requests of strangers, and the tries at theirs are their own")
  func newestThree() async throws {
    try await ThreeApps.run { apps in
      _ = try await apps.signUp(.ride)
      let owner = try await Self.ask(apps)
      let code = try await DigitsDoor.code(apps)
      for _ in 0..<2 {
        let stranger = try await Self.ask(apps)
        for guess in 0..<6 { _ = try await Self.confirm(apps, stranger, "00000\(guess)") }
      }
      #expect(try await Self.confirm(apps, owner, code).status == 204)
    }
  }

  @Test("T182 of the resets of an address the newest three live")
  func fourth() async throws {
    try await ThreeApps.run { apps in
      _ = try await apps.signUp(.ride)
      var asked: [(id: String, code: String)] = []
      for _ in 0..<4 { asked.append((try await Self.ask(apps), try await DigitsDoor.code(apps))) }
      #expect(try await Self.confirm(apps, asked[0].id, asked[0].code).code == "code_invalid")
      #expect(try await Self.confirm(apps, asked[1].id, asked[1].code).status == 204)
    }
  }

  @Test("T182 a request from elsewhere has a mail and an id of its own at the same moment")
  func cooldown() async throws {
    try await ThreeApps.run { apps in
      _ = try await apps.signUp(.ride)
      apps.server.clock.advance(seconds: 61)
      let url = apps.server.url + "/t/dd-ride/v1/password-reset"
      #expect(try Elsewhere.post(url, #"{"email":"\#(Self.email)"}"#) == 202)
      let before = try await apps.server.mailCount(to: Self.email)
      let id = try await apps.ride.post("/v1/password-reset", #"{"email":"\#(Self.email)"}"#).resetID
      #expect(try await apps.server.mailCount(to: Self.email) == before + 1 && !id.isEmpty)
    }
  }

  @Test("T182 an unknown address is answered an id too, and wrong digits with it cost what they cost for an account")
  func unknown() async throws {
    try await ThreeApps.run { apps in
      for name in ["pat", "off"] { _ = try await apps.signUp(.ride, name) }
      try await Operator.disable(.ride, "off", apps)
      apps.server.clock.advance(seconds: 61)
      var costs: [[Int]] = []
      for name in ["pat", "off", "nobody"] {
        let email = App.ride.email(name)
        let id = try await apps.ride.post("/v1/password-reset", #"{"email":"\#(email)"}"#).resetID
        let before = apps.server.database.statistics
        let rows = try await apps.rows()
        let tried = try await apps.ride.post(
          "/v1/password-reset/confirm",
          #"{"reset_id":"\#(id)","email":"\#(email)","code":"000000","password":"Bobcat99"}"#)
        let after = apps.server.database.statistics
        let written = try await apps.rows().filter { $0.key != "limit_counter" }.values.reduce(0, +)
        costs.append([
          tried.status, after.succeeded - before.succeeded, after.statements - before.statements,
          written - rows.filter { $0.key != "limit_counter" }.values.reduce(0, +),
        ])
      }
      #expect(costs[0] == costs[1] && costs[0] == costs[2] && costs[0][0] == 400, "\(costs)")
    }
  }

  @Test("T182 digits without an id are refused with the same clear words for every address")
  func withoutID() async throws {
    try await ThreeApps.run { apps in
      _ = try await apps.signUp(.ride)
      var answers: [[String: String]] = []
      for name in ["pat", "nobody"] {
        answers.append(
          try await apps.ride.post(
            "/v1/password-reset/confirm",
            #"{"email":"\#(App.ride.email(name))","code":"123456","password":"Bobcat99"}"#
          ).seen)
      }
      #expect(answers[0] == answers[1] && answers[0][":body"]?.contains("reset_id") == true, "\(answers)")
    }
  }

  @Test("T182 a request asked again under its Idempotency-Key is answered the same id, whose code sets the password")
  func repeated() async throws {
    try await ThreeApps.run { apps in
      _ = try await apps.signUp(.ride)
      apps.server.clock.advance(seconds: 61)
      var ids: Set<String> = []
      for _ in 0..<2 {
        ids.insert(
          try await apps.ride.send(
            "POST", "/v1/password-reset", #"{"email":"\#(Self.email)"}"#, headers: ["Idempotency-Key": "once"]
          ).resetID)
      }
      let id = try #require(ids.first)
      #expect(ids.count == 1)
      #expect(try await Self.confirm(apps, id, try await DigitsDoor.code(apps)).status == 204)
    }
  }
}
