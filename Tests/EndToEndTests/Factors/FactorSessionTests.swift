import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Sessions and second factors")
struct FactorSessionTests {
  private static let ways: [JSONValue] = [.string("totp"), .string("recovery_code")]

  private func access(_ token: String, _ scene: FactorScene) async throws -> TestClient.Answer {
    try await scene.apps.me(FactorScene.app, token)
  }

  private func expectRaised(_ before: JSONValue, to after: JSONValue, _ scene: FactorScene) async throws {
    #expect(after.sessionID != before.sessionID && !after.sessionID.isEmpty)
    #expect(after.refreshToken.hasPrefix("gh_rt_") && after.refreshToken != before.refreshToken)
    #expect(try await access(before.accessToken, scene).code == "session_revoked")
    #expect(try await scene.apps.refresh(FactorScene.app, before.refreshToken).code == "session_revoked")
    let claims = try Token.claims(of: after.accessToken)
    #expect(claims["acr"] == .string("aal2") && claims["sid"] == .string(after.sessionID))
    #expect(claims["amr"]?.array?.contains(.string("mfa")) == true)
    #expect(try await access(after.accessToken, scene).status == 200)
    let refreshed = try await scene.apps.refresh(FactorScene.app, after.refreshToken)
    #expect(refreshed.status == 200, "\(refreshed.text)")
    #expect(try Token.claims(of: refreshed.json.accessToken)["acr"] == .string("aal2"))
  }

  @Test("T046 the first factor raises its session: it goes on under another id, and the tokens of before are dead")
  func enrolled() async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      #expect(try await scene.sessions().map(\.id.text) == [phone.session.sessionID])
      #expect(phone.session["session"]?["created_at"] == scene.up["session"]?["created_at"])
      #expect(phone.session["session"]?["expires_at"] == scene.up["session"]?["expires_at"])
      try await expectRaised(scene.up, to: phone.session, scene)
    }
  }

  @Test("a second app leaves its session as it is")
  func kept() async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      let tablet = try await scene.enrol(phone.token)
      #expect(tablet.session.sessionID == phone.session.sessionID && tablet.session["refresh_token"] == nil)
      #expect(try await scene.apps.refresh(FactorScene.app, phone.session.refreshToken).status == 200)
    }
  }

  @Test("a new factor ends no other session, and raises none")
  func others() async throws {
    try await FactorScene.run { scene in
      let tablet = try await scene.signIn().json
      _ = try await scene.enrol()
      #expect(try await access(tablet.accessToken, scene).status == 200)
      let refreshed = try await scene.apps.refresh(FactorScene.app, tablet.refreshToken)
      #expect(try Token.claims(of: refreshed.json.accessToken)["acr"] == .string("aal1"))
    }
  }

  // MARK: T106

  /// What a session may not do by the password alone, with the password in the request where there is a place for it.
  private static let doors: [(method: String, path: String, body: String?)] = [
    ("POST", "/v1/me/password", #"{"current_password":"\#(App.password)","password":"\#(App.otherPassword)"}"#),
    ("POST", "/v1/me/email", #"{"email":"moved@example.com","password":"\#(App.password)"}"#),
    ("POST", "/v1/me/email", #"{"email":"moved@example.com"}"#), ("GET", "/v1/me/export", nil),
    ("POST", "/v1/me/factors/totp", "{}"), ("POST", "/v1/me/recovery-codes", "{}"),
    ("DELETE", "/v1/me", #"{"password":"\#(App.password)"}"#), ("DELETE", "/v1/me", "{}"),
  ]

  private func expectClosed(_ token: String, _ phone: FactorScene.PhoneApp, _ scene: FactorScene) async throws {
    let removal = (method: "DELETE", path: "/v1/me/factors/\(phone.id)", body: String?.none)
    for door in Self.doors + [removal] {
      let refused = try await scene.client.send(door.method, door.path, door.body, token: token)
      #expect(refused.status == 403 && refused.code == "reauthentication_required", "\(door) \(refused.text)")
      #expect(refused.json["methods"] == .array(Self.ways), "\(door) \(refused.text)")
    }
  }

  @Test("T106 the password alone changes nothing of an account with a second factor, however fresh it is")
  func passwordAlone() async throws {
    try await FactorScene.run { scene in
      let tablet = try await scene.signIn().json
      let phone = try await scene.enrol()
      try await expectClosed(tablet.accessToken, phone, scene)
      let again = try await scene.prove(#"{"password":"\#(App.password)"}"#, tablet.accessToken)
      #expect(again.code == "reauthentication_required" && again.json["methods"] == .array(Self.ways), "\(again.text)")
      #expect(try await scene.stored().factors == ["totp", "recovery_code"])
      #expect(try await scene.signIn().code == "mfa_required")
    }
  }

  @Test("T106 an identity is not unlinked by the password alone")
  func unlink() async throws {
    try await FactorScene.run { scene in
      let arrived = try await scene.provided.google(.messai, "g1", ["email": .string(scene.email)])
      try #require(arrived.status == 200, "\(arrived.text)")
      _ = try await scene.enrol()
      let refused = try await scene.client.send(
        "DELETE", "/v1/me/links/google", #"{"password":"\#(App.password)"}"#, token: arrived.json.accessToken)
      #expect(refused.code == "reauthentication_required", "\(refused.text)")
      #expect(try await scene.stored().links.map(\.provider) == ["google"])
    }
  }

  @Test("T106 a second factor is a fresh proof for five minutes")
  func stale() async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      scene.clock.advance(seconds: 301)
      try await expectClosed(phone.token, phone, scene)
      let factors = try await scene.stored().factors
      #expect(factors == ["totp", "recovery_code"])
    }
  }

  @Test("T106 proving anew by a second factor raises the session, and opens the doors", arguments: [true, false])
  func stepUp(isApp: Bool) async throws {
    try await FactorScene.run { scene in
      let tablet = try await scene.signIn().json
      let phone = try await scene.enrol()
      scene.nextStep()
      let body =
        isApp ? #"{"totp":"\#(scene.code(phone))"}"# : #"{"recovery_code":"\#(phone.recoveryCodes[0])"}"#
      let proven = try await scene.prove(body, tablet.accessToken)
      try #require(proven.status == 200, "\(proven.text)")
      try await expectRaised(tablet, to: proven.json, scene)
      // T104: what one session used up, another one cannot use.
      #expect(try await scene.prove(body, phone.token).code == "code_invalid")
      let change = #"{"current_password":"\#(App.password)","password":"\#(App.otherPassword)"}"#
      #expect(
        try await scene.client.post("/v1/me/password", change, token: proven.json.accessToken).status == 200)
      let row = try await scene.rows(.reauthenticated).first
      #expect(row?.session?.text == tablet.sessionID && row?.details["raised_to"] == proven.json.sessionID)
    }
  }

  @Test("the refresh token that is sent along is exchanged for that of the raised session")
  func exchanged() async throws {
    try await FactorScene.run { scene in
      let tablet = try await scene.signIn().json
      let phone = try await scene.enrol()
      scene.nextStep()
      let body = #"{"totp":"\#(scene.code(phone))","refresh_token":"\#(tablet.refreshToken)"}"#
      let proven = try await scene.prove(body, tablet.accessToken)
      try #require(proven.status == 200, "\(proven.text)")
      try await expectRaised(tablet, to: proven.json, scene)
    }
  }

  @Test("a session that is as high already stays, with a fresh proof")
  func again() async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      scene.clock.advance(seconds: 301)
      let proven = try await scene.prove(#"{"totp":"\#(scene.code(phone))"}"#, phone.token)
      #expect(proven.json.sessionID == phone.session.sessionID && proven.json["refresh_token"] == nil)
      #expect(try await scene.client.get("/v1/me/export", token: proven.json.accessToken).status == 200)
      #expect(try await scene.apps.refresh(FactorScene.app, phone.session.refreshToken).status == 200)
    }
  }

  @Test("of many proofs of one session at once one raises it, and it has one successor")
  func racing() async throws {
    try await FactorScene.run { scene in
      let tablet = try await scene.signIn().json
      let phone = try await scene.enrol()
      let answers = try await atOnce(6) { number in
        try await scene.prove(#"{"recovery_code":"\#(phone.recoveryCodes[number])"}"#, tablet.accessToken)
      }
      #expect(answers.count { $0.status == 200 } == 1, "\(answers.map(\.text))")
      #expect(answers.allSatisfy { $0.status == 200 || $0.code == "session_revoked" }, "\(answers.map(\.text))")
      #expect(try await scene.sessions().count == 2)
      // A refused proof used no code up.
      #expect(try await scene.factors(phone.token).codesLeft == 9)
    }
  }
}
