import Foundation
import GatehouseAssembly
import GatehouseIdentity
import GatehouseOutbound
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("What a tenant allows in all")
struct BudgetTests {
  private static func run(_ limits: String, _ body: (ThreeApps) async throws -> Void) async throws {
    try await ThreeApps.run(policy: { $0 == .ride ? PolicyText.limits(limits, in: $1) : $1 }, body)
  }

  private static func ask(_ apps: ThreeApps, _ local: String, device: String? = nil) async throws
    -> TestClient.Answer
  {
    let device = device.map { #","device":{"id":"\#($0)"}"# } ?? ""
    return try await apps.ride.post("/v1/password-reset", #"{"email":"\#(App.ride.email(local))"\#(device)}"#)
  }

  private static func guess(_ id: String, _ local: String, _ code: String) -> String {
    #"{"reset_id":"\#(id)","email":"\#(App.ride.email(local))","code":"\#(code)","password":"Bobcat99"}"#
  }

  @Test("T183 wrong codes for made-up mailboxes refuse no right code, however many")
  func codes() async throws {
    try await Self.run("code_per_tenant: 6/1h, code_per_ip: 1000/1h") { apps in
      _ = try await apps.signUp(.ride)
      let url = apps.server.url + "/t/dd-ride/v1/password-reset/confirm"
      for number in 0..<12 {
        let id = try await Self.ask(apps, "nobody\(number)").resetID
        for id in [id, UUID().text] {
          _ = try Elsewhere.post(url, Self.guess(id, "nobody\(number)", "000000"), from: "127.0.0.\(number + 2)")
          _ = try await apps.ride.post("/v1/password-reset/confirm", Self.guess(id, "nobody\(number)", "000001"))
        }
      }
      apps.server.clock.advance(seconds: 61)
      let id = try await Self.ask(apps, "pat").resetID
      let done = try await apps.ride.post(
        "/v1/password-reset/confirm", Self.guess(id, "pat", try await DigitsDoor.code(apps)))
      #expect(done.status == 204, "\(done.text)")
    }
  }

  @Test("T183 a tenant's wrong codes at living ones end at its limit, and then every try is told so")
  func exhausted() async throws {
    try await Self.run("code_per_tenant: 4/1h") { apps in
      _ = try await apps.signUp(.ride)
      apps.server.clock.advance(seconds: 61)
      let ids = ["pat": try await Self.ask(apps, "pat").resetID, "nobody": try await Self.ask(apps, "nobody").resetID]
      for _ in 0..<4 {
        _ = try await apps.ride.post("/v1/password-reset/confirm", Self.guess(ids["pat"] ?? "", "pat", "000000"))
      }
      for (name, id) in ids {
        let refused = try await apps.ride.post("/v1/password-reset/confirm", Self.guess(id, name, "000000"))
        #expect(refused.code == "rate_limited" && refused.json["limit"] == .string("code_per_tenant"), "\(name)")
      }
    }
  }

  @Test("T183 resets for made-up addresses draw nothing on the tenant's mails: an owner is mailed after them")
  func madeUp() async throws {
    try await Self.run("mail_per_tenant: 6/1h") { apps in
      _ = try await apps.signUp(.ride)
      for number in 0..<30 { #expect(try await Self.ask(apps, "nobody\(number)").status == 202) }
      apps.server.clock.advance(seconds: 61)
      let before = try await apps.server.mailCount(to: App.ride.email())
      #expect(try await Self.ask(apps, "pat").status == 202)
      #expect(try await apps.server.mailCount(to: App.ride.email()) == before + 1)
    }
  }

  @Test("T183 a third of the tenant's mails is kept for sessions and known devices; others are refused alike")
  func kept() async throws {
    try await Self.run("mail_per_tenant: 9/1h") { apps in
      let up = try await apps.signUp(.ride).json
      // Six mails that strangers cause: a sign-up each.
      for number in 0..<5 { _ = try await apps.signUp(.ride, "s\(number)") }
      apps.server.clock.advance(seconds: 61)
      var refusals: [[String: String]] = []
      for name in ["pat", "nobody"] { refusals.append(try await Self.ask(apps, name).seen) }
      #expect(refusals[0] == refusals[1] && refusals[0][":status"] == "429", "\(refusals)")
      let before = try await apps.server.mailCount(to: App.ride.email())
      let device = up["device"]?["id"]?.string
      #expect(try await Self.ask(apps, "pat", device: device).status == 202)
      #expect(try await apps.ride.post("/v1/email-verification", token: up.accessToken).status == 202)
      #expect(try await apps.server.mailCount(to: App.ride.email()) == before + 2)
    }
  }

  @Test("T183 one account's session asks for thirty mails a day, to whatever addresses")
  func account() async throws {
    try await ThreeApps.run { apps in
      let token = try await apps.signUp(.ride).json.accessToken
      var statuses: [Int: Int] = [:]
      var limit: JSONValue?
      for number in 0..<31 {
        let body = #"{"email":"n\#(number)@ksu.edu"}"#
        let asked = try await apps.ride.post("/v1/me/email", body, token: token)
        statuses[asked.status, default: 0] += 1
        limit = asked.json["limit"] ?? limit
      }
      #expect(statuses == [202: 30, 429: 1] && limit == .string("mail_per_account"))
    }
  }

  @Test("T183 a made-up address costs as many statements as an account, also where no room is left to keep it")
  func cost() async throws {
    try await Self.run("mail_per_tenant: 6/1h") { apps in
      _ = try await apps.signUp(.ride)
      for number in 0..<10 { _ = try await Self.ask(apps, "nobody\(number)") }
      apps.server.clock.advance(seconds: 61)
      var costs: [[Int]] = []
      for name in ["pat", "nobody"] {
        let before = apps.server.database.statistics
        let asked = try await Self.ask(apps, name)
        let after = apps.server.database.statistics
        costs.append([
          asked.status, after.succeeded - before.succeeded, after.failed - before.failed,
          after.statements - before.statements,
        ])
      }
      #expect(costs[0] == costs[1], "\(costs)")
      let kept = try await apps.rows()["one_time_code"] ?? 0
      #expect(kept <= 6 + 2)
    }
  }

  @Test("T185 half of a tenant's mails is a level of 50 percent, and one row of the audit log in its window")
  func half() async throws {
    try await Self.run("mail_per_tenant: 4/1h") { apps in
      for number in 0..<2 { _ = try await apps.signUp(.ride, "s\(number)") }
      let levels = apps.server.services.budgets.levels(at: apps.server.clock.now)
      #expect(levels.map { "\($0.name) \($0.used)/\($0.most)" } == ["mail_per_tenant 2/4"])
      for _ in 0..<2 { _ = try await apps.server.round(of: .tellSuppressed) }
      let tenant = try #require(apps.server.services.registry.snapshot("dd-ride"))
      let rows = try await apps.server.services.store.open(tenant.id).audit(
        AuditQuery(event: AuditEvent.budgetHalfUsed.rawValue), limit: 10)
      #expect(rows.map(\.details) == [["limit": "mail_per_tenant", "used": "2", "of": "4"]])
    }
  }
}
