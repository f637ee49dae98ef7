import Foundation
import GatehouseAdminWire
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("What a policy says to a request that is not made")
struct PublicExplainTests {
  private func verdicts(_ answer: TestClient.Answer) -> [String: String] {
    var found: [String: String] = [:]
    for rule in answer.json["rules"]?.array ?? [] {
      found[rule["rule"]?.string ?? "?"] = rule["verdict"]?.string
    }
    return found
  }

  /// Everything that is stored; lines that pg_dump makes anew each time are left out.
  private func stored(_ apps: ThreeApps) async throws -> [Substring] {
    try await apps.server.storage.dump().split(separator: "\n").filter { !$0.contains("restrict ") }
  }

  @Test("each rule with its input, its verdict and what would make it pass, and nothing is stored")
  func signUp() async throws {
    try await ThreeApps.share { apps in
      let before = try await stored(apps)
      let answer = try await apps.ride.post(
        "/v1/explain", #"{"email":"w@gmail.com","password":"wild","profile":{"name":"W","phoneNumber":"7855550123"}}"#)
      #expect(answer.status == 200 && answer.json["ok"] == .bool(false))
      let verdicts = verdicts(answer)
      #expect(verdicts["email.allowed_domains"] == "fail" && verdicts["password.min8"] == "fail")
      #expect(verdicts["password.lower"] == "pass" && verdicts["phoneNumber.format"] == "pass")
      let domain = answer.json["rules"]?.array?.first { $0["rule"] == .string("email.allowed_domains") }
      #expect(domain?["input"] == .string("/email"))
      #expect(domain?["message"] == .string("Use your K-State email (ends in @ksu.edu)."))
      let spanish = try await apps.ride.send(
        "POST", "/v1/explain", #"{"email":"w@gmail.com"}"#, headers: ["Accept-Language": "es"])
      #expect(spanish.text.contains("Usa tu correo de K-State"))
      #expect(try await stored(apps) == before)
    }
  }

  @Test("accounts that are already stored make no difference")
  func noStoredUser() async throws {
    try await ThreeApps.share { apps in
      let body = #"{"email":"pat@example.com","password":"\#(App.password)","profile":{"username":"pat"}}"#
      let unknown = try await apps.vibes.post("/v1/explain", body)
      #expect(try await apps.signUp(.vibes).status == 201)
      let known = try await apps.vibes.post("/v1/explain", body)
      #expect(known.text == unknown.text && known.json["ok"] == .bool(true))
      #expect(verdicts(known)["username.unique"] == "deferred")
    }
  }

  @Test("a rule that the policy does not disclose is not shown, and decides nothing here")
  func undisclosed() async throws {
    func hide(_ app: App, _ text: String) -> String {
      text.replacing("{id: min8, min_length: 8}", with: "{id: min8, min_length: 8, disclose: false}")
    }
    try await ThreeApps.run(policy: hide) { apps in
      let answer = try await apps.ride.post("/v1/explain", #"{"door":"set_password","password":"Wild1"}"#)
      #expect(verdicts(answer)["password.min8"] == nil && verdicts(answer)["password.upper"] == "pass")
      #expect(answer.json["ok"] == .bool(true) && !answer.text.contains("min8"))
    }
    try await ThreeApps.share { apps in
      let answer = try await apps.ride.post("/v1/explain", #"{"door":"set_password","password":"Wild1"}"#)
      #expect(verdicts(answer)["password.min8"] == "fail" && answer.json["ok"] == .bool(false))
    }
  }

  @Test(
    "only doors through which people bring their own values are explained",
    arguments: [
      "admin_create", "import", "sign_in", "front", "",
    ])
  func doors(_ door: String) async throws {
    try await ThreeApps.share { apps in
      let answer = try await apps.ride.post("/v1/explain", #"{"door":"\#(door)","email":"a@ksu.edu"}"#)
      #expect(answer.status == 400 && answer.code == "malformed_request")
      #expect(answer.text.contains("sign_up, update_profile, change_email, set_password"))
    }
  }
}

@Suite("What a policy says of a stored user")
struct UserExplainTests {
  @Test("what the account as a whole owes is judged once, by what it has")
  func account() async throws {
    try await ThreeApps.run { apps in
      _ = try await apps.rider("ann@ksu.edu")
      let answer = try await ExplainPolicy.run(.init(tenant: "dd-ride", user: "ann@ksu.edu"), apps.asOperator)
      let rules = (answer.verdicts ?? []).map(\.rule)
      #expect(rules.filter { $0 == "mfa.admins" } == ["mfa.admins"])
      #expect(rules.filter { $0 == "access.email_verified" } == ["access.email_verified"])
    }
  }
}
