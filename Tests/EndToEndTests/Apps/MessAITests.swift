import Foundation
import GatehouseOutbound
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("messAI, end to end")
struct MessAITests {
  private static let before = Date(timeIntervalSince1970: 1_796_083_200)  // 2026-12-01
  private static let after = Date(timeIntervalSince1970: 1_803_945_600)  // 2027-03-02

  @Test("sign-up, sign-out and sign-in carry profile and presence")
  func presence() async throws {
    try await ThreeApps.run(at: Self.before) { apps in
      let up = try await apps.writer()
      #expect(up["user"]?["profile"]?["displayName"] == .string("Al"))
      #expect(up["user"]?["presence"]?["online"] == .bool(true))
      #expect(up["access"] == .string("full"))
      #expect(up.warnings == ["password.min8", "password.upper", "password.special"])
      let out = try await apps.messai.post("/v1/sign-out", token: up.accessToken)
      #expect(out.status == 204)
      apps.server.clock.advance(seconds: 90)
      let back = try await apps.messai.post("/v1/sign-in", #"{"email":"AL@example.com","password":"kt49xw"}"#)
      #expect(back.status == 200)
      #expect(back.json["user"]?["presence"]?["online"] == .bool(true))
      #expect(back.json.userID == up.userID)
    }
  }

  @Test("an address has one account, whatever its case; the app is told so")
  func duplicate() async throws {
    try await ThreeApps.run(at: Self.before) { apps in
      _ = try await apps.writer()
      let again = try await apps.messai.post(
        "/v1/sign-up", #"{"email":"Al@Example.com","password":"other9x","profile":{"displayName":"Other"}}"#)
      #expect(again.status == 409)
      #expect(again.code == "account_exists")
      #expect(again.json["title"] == .string("This email is already registered."))
      // Nothing of the refused request was stored: the first person still gets in.
      #expect(
        try await apps.messai.post("/v1/sign-in", #"{"email":"al@example.com","password":"kt49xw"}"#).status == 200)
    }
  }

  @Test("T026 an unknown address and a wrong password get the same answer")
  func sameAnswer() async throws {
    try await ThreeApps.run(at: Self.before) { apps in
      _ = try await apps.writer()
      let wrong = try await apps.messai.post("/v1/sign-in", #"{"email":"al@example.com","password":"nope-nope"}"#)
      let unknown = try await apps.messai.post("/v1/sign-in", #"{"email":"who@example.com","password":"nope-nope"}"#)
      #expect(wrong.status == 401 && unknown.status == 401)
      #expect(wrong.json["title"] == .string("Invalid email or password."))
      var one = wrong.headers, other = unknown.headers
      for name in ["x-request-id", "date"] { (one[name], other[name]) = (nil, nil) }
      #expect(one == other)
      #expect(wrong.json["code"] == unknown.json["code"] && wrong.json["detail"] == unknown.json["detail"])
    }
  }

  @Test("the stricter password set switches itself on at its date")
  func stages() async throws {
    try await ThreeApps.run(at: Self.before) { apps in
      _ = try await apps.writer()
      apps.server.clock.set(Self.after)
      let weak = try await apps.messai.post(
        "/v1/sign-up", #"{"email":"b@example.com","password":"kt49xw","profile":{"displayName":"Bo"}}"#)
      #expect(weak.status == 422)
      #expect(weak.rules == ["password.min8", "password.upper", "password.special"])
      let strong = try await apps.messai.post(
        "/v1/sign-up", #"{"email":"b@example.com","password":"Kq7!vmTz","profile":{"displayName":"Bo"}}"#)
      #expect(strong.status == 201)
      // A user from before gets in, and is told.
      let stored = try await apps.messai.post("/v1/sign-in", #"{"email":"al@example.com","password":"kt49xw"}"#)
      #expect(stored.status == 200)
      #expect(stored.json.warnings.contains("password.min8"))
    }
  }

  @Test("other users read the public profile, and nothing more")
  func publicProfile() async throws {
    try await ThreeApps.run(at: Self.before) { apps in
      let al = try await apps.writer()
      let bo = try await apps.writer("bo@example.com", name: "Bo")
      let seen = try await apps.messai.get("/v1/users/\(al.userID)", token: bo.accessToken)
      #expect(seen.status == 200)
      #expect(seen.json["profile"]?["displayName"] == .string("Al"))
      #expect(seen.json["presence"]?["online"] == .bool(true))
      #expect(seen.json["email"] == nil)
      #expect(try await apps.messai.get("/v1/users/\(al.userID)").status == 401)
      #expect(try await apps.messai.get("/v1/users/\(UUID())", token: bo.accessToken).code == "not_found")
      let both = try await apps.messai.get("/v1/users?ids=\(al.userID),\(bo.userID)", token: bo.accessToken)
      #expect(both.json["items"]?.array?.count == 2)
    }
  }

  @Test("T036 T052 a reset by link sets the password once, opens no session and ends every session")
  func reset() async throws {
    try await ThreeApps.run(at: Self.before) { apps in
      let al = try await apps.writer()
      apps.server.clock.advance(seconds: 61)
      let asked = try await apps.messai.post("/v1/password-reset", #"{"email":"al@example.com"}"#)
      let unknown = try await apps.messai.post("/v1/password-reset", #"{"email":"nobody@example.com"}"#)
      #expect(asked.status == 202 && unknown.status == 202)
      #expect(asked.unnamed[":body"] == unknown.unnamed[":body"])
      let mail = try #require(try await apps.server.latestMail(to: "al@example.com"))
      let token = try #require(mail.link?.split(separator: "=").last.map(String.init))
      #expect(mail.link?.hasPrefix(apps.server.url + "/t/messai/ui/reset-password?lang=en&token=") == true)
      let body = #"{"token":"\#(token)","password":"newpass9"}"#
      #expect(try await apps.messai.post("/v1/password-reset/confirm", body).status == 204)
      #expect(try await apps.messai.post("/v1/password-reset/confirm", body).code == "code_used")
      let refresh = #"{"refresh_token":"\#(al.refreshToken)"}"#
      #expect(try await apps.messai.post("/v1/token", refresh).code == "session_revoked")
      #expect(try await apps.messai.get("/v1/me", token: al.accessToken).code == "session_revoked")
      #expect(
        try await apps.messai.post("/v1/sign-in", #"{"email":"al@example.com","password":"kt49xw"}"#).status == 401)
      #expect(
        try await apps.messai.post("/v1/sign-in", #"{"email":"al@example.com","password":"newpass9"}"#).status == 200)
    }
  }
}
