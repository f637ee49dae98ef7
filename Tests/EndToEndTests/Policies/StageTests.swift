import Foundation
import GatehouseOutbound
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("messAI's two stages of passwords")
struct StageTests {
  /// 2027-03-01T00:00:00Z, as the policy file says.
  private static let switchover = Date(timeIntervalSince1970: 1_803_859_200)
  private static let stricter = ["password.min8", "password.upper", "password.special"]

  @Test("the last second of the first stage takes what the first second of the second refuses, at every door")
  func toTheSecond() async throws {
    try await ThreeApps.run(at: Self.switchover.addingTimeInterval(-1)) { apps in
      let before = try await apps.signUp(.messai, "al", password: "kt49xw")
      #expect(before.status == 201 && before.json.warnings == Self.stricter)
      let dated = before.json["warnings"]?.array?.first?["enforce_from"]
      #expect(dated == .string("2027-03-01"))
      let check = #"{"password":"kt49xw"}"#
      #expect(try await apps.messai.post("/v1/password-check", check).json["ok"] == .bool(true))
      let old = try await apps.messai.get("/v1/policy")

      apps.server.clock.advance(seconds: 1)
      let after = try await apps.signUp(.messai, "bo", password: "kt49xw")
      #expect(after.status == 422 && after.rules == Self.stricter)
      let change = try await apps.messai.post(
        "/v1/me/password", #"{"current_password":"kt49xw","password":"kt49xv"}"#, token: before.json.accessToken)
      #expect(change.status == 422 && change.rules == Self.stricter)
      let verdict = try await apps.messai.post("/v1/password-check", check)
      #expect(verdict.json["ok"] == .bool(false))
      // Forms learn of it: the tag they hold is old.
      let tag = try #require(old.headers["etag"])
      let new = try await apps.messai.send("GET", "/v1/policy", headers: ["If-None-Match": tag])
      #expect(new.status == 200)
      #expect(Self.enforced(old).contains("password.min6") && !Self.enforced(old).contains("password.min8"))
      #expect(Set(Self.stricter).isSubset(of: Self.enforced(new)))
    }
  }

  @Test("a user with a password of the first stage still gets in, is told, and a reset asks for the second")
  func stored() async throws {
    try await ThreeApps.run(at: Self.switchover.addingTimeInterval(-86_400)) { apps in
      #expect(try await apps.signUp(.messai, password: "kt49xw").status == 201)
      apps.server.clock.set(Self.switchover.addingTimeInterval(86_400))
      let back = try await apps.signIn(.messai, password: "kt49xw")
      #expect(back.status == 200 && back.json["access"] == .string("full"))
      #expect(back.json.warnings == Self.stricter)
      apps.server.clock.advance(seconds: 1)  // after the notice of the new device
      let id = try await apps.messai.post("/v1/password-reset", #"{"email":"pat@example.com"}"#).resetID
      let code = try #require(try await apps.server.latestMail(to: "pat@example.com")?.code)
      func confirm(_ password: String) async throws -> TestClient.Answer {
        try await apps.messai.post(
          "/v1/password-reset/confirm",
          #"{"reset_id":"\#(id)","email":"pat@example.com","code":"\#(code)","password":"\#(password)"}"#)
      }
      let weak = try await confirm("kt49xv")
      #expect(weak.status == 422 && weak.rules == Self.stricter)
      // The refusal used nothing up: the code still works.
      #expect(try await confirm(App.password).status == 204)
      #expect(try await apps.signIn(.messai).json.warnings == [])
    }
  }

  /// DD Ride's file with a longer minimum that means this for passwords that are there already.
  private static func longer(existing: String) throws -> String {
    PolicyText.withoutTests(try TestLists.policy("dd-ride"))
      .replacing("existing: at_next_change", with: "existing: \(existing)")
      .replacing("{id: min8, min_length: 8}", with: "{id: min8, min_length: 10}")
  }

  @Test(
    "what a tightened rule means for people who are there: nothing, a word, or a step before anything else",
    arguments: ["at_next_change", "prompt_at_sign_in", "require_at_sign_in"])
  func existing(mode: String) async throws {
    try await ThreeApps.run { apps in
      let up = try await apps.rider()
      try await Operator.verify(.ride, "willie", apps)
      #expect(try await apps.me(.ride, up.accessToken).json["access"] == .string("full"))
      _ = try await apps.server.apply(try Self.longer(existing: mode), to: "dd-ride")
      try await apps.reload()
      let back = try await apps.signIn(.ride, "willie", password: "Wildcat1")
      #expect(back.status == 200)
      let isRequired = mode == "require_at_sign_in"
      #expect(back.json["access"] == .string(isRequired ? "limited" : "full"))
      #expect(back.json.next == (isRequired ? ["change_password"] : []))
      #expect(back.json.warnings == (mode == "prompt_at_sign_in" ? ["password.min8"] : []))
      #expect(try Token.claims(of: back.json.accessToken)["access"] == back.json["access"])
      // The step stays until it is taken: no new token and no other device goes around it.
      for answer in [
        try await apps.refresh(.ride, back.json.refreshToken).json, try await apps.refresh(.ride, up.refreshToken).json,
        try await apps.me(.ride, back.json.accessToken).json,
      ] {
        #expect(answer.next == back.json.next && answer["access"] == back.json["access"])
      }
      let users = try await apps.ride.get("/v1/users/\(up.userID)", token: back.json.accessToken)
      #expect(users.status == (isRequired ? 403 : 200))

      func change(_ password: String) async throws -> TestClient.Answer {
        try await apps.ride.post(
          "/v1/me/password", #"{"current_password":"Wildcat1","password":"\#(password)"}"#,
          token: back.json.accessToken)
      }
      #expect(try await change("Wildcat2").rules == ["password.min8"])  // whatever it means for old ones
      #expect(try await change("Wildcat-2000").status == 200)
      #expect(try await apps.me(.ride, back.json.accessToken).json["access"] == .string("full"))
      let next = try await apps.signIn(.ride, "willie", password: "Wildcat-2000").json
      #expect(next["access"] == .string("full") && next.next.isEmpty && next.warnings.isEmpty)
    }
  }

  private static func enforced(_ policy: TestClient.Answer) -> Set<String> {
    let rules = (policy.json["rules"]?.array ?? []).filter { $0["enforce"] == .string("enforce") }
    return Set(rules.compactMap { $0["id"]?.string })
  }
}
