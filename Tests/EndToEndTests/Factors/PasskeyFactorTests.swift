import Foundation
import GatehouseAdminWire
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("A passkey as a second factor, and as a fresh proof")
struct PasskeyFactorTests {
  // MARK: Second step

  @Test("after the password a passkey of the account is asked for, with the options for it")
  func second() async throws {
    try await PasskeyScene.run { keys in
      let key = try await keys.enrol()
      let asked = try await keys.scene.signIn()
      #expect(
        asked.code == "mfa_required"
          && asked.json["factors"] == .array(["passkey", "recovery_code"].map { .string($0) }))
      let allowed = asked.json["passkey"]?["allowCredentials"]?.array ?? []
      #expect(allowed.map { $0["id"] } == [.string(Base64URL.encode(key.passkey.id))], "\(asked.text)")
      let entered = try await keys.verify(asked, key.passkey) { $0.userHandle = nil }
      #expect(entered.status == 200, "\(entered.text)")
      let claims = try Token.claims(of: entered.json.accessToken)
      #expect(claims["acr"] == .string("phr") && claims["amr"] == .array(["pwd", "pop", "mfa"].map { .string($0) }))
    }
  }

  @Test("M12 before the right password nothing tells of the passkey")
  func hint() async throws {
    try await PasskeyScene.run { keys in
      _ = try await keys.enrol()
      let refused = try await keys.scene.signIn(password: "Wrong-password-1")
      #expect(refused.code == "invalid_credentials" && refused.json["passkey"] == nil, "\(refused.text)")
    }
  }

  @Test("after a wrong code the passkey answers the fresh options, and not those of before")
  func afterCode() async throws {
    try await PasskeyScene.run { keys in
      let key = try await keys.enrol()
      let phone = try await keys.scene.enrol(key.token)
      let asked = try await keys.scene.signIn()
      #expect(asked.json["factors"] == .array(["totp", "passkey", "recovery_code"].map { .string($0) }))
      let wrong = try await keys.scene.verify(asked.challenge, totp: keys.scene.wrong(phone))
      #expect(wrong.code == "code_invalid" && wrong.passkeyChallenge.count == 32, "\(wrong.text)")
      let stale = try await keys.verify(asked, key.passkey)
      #expect(stale.code == "passkey_invalid", "\(stale.text)")
      #expect(try await keys.verify(stale, key.passkey, challengeID: asked.challenge).status == 200)
    }
  }

  @Test("T113 another account's passkey is no second factor of this one")
  func foreign() async throws {
    try await PasskeyScene.run { keys in
      _ = try await keys.enrol()
      let kim = try await keys.scene.apps.signUp(FactorScene.app, "kim").json.accessToken
      let other = try await keys.enrol(kim)
      let refused = try await keys.verify(try await keys.scene.signIn(), other.passkey)
      #expect(refused.code == "passkey_invalid", "\(refused.text)")
    }
  }

  @Test("T105 wrong answers count with wrong codes against the account")
  func limited() async throws {
    try await PasskeyScene.run { keys in
      let key = try await keys.enrol()
      for _ in 0..<2 {
        var asked = try await keys.scene.signIn()
        let challenge = asked.challenge
        for _ in 0..<5 { asked = try await keys.verify(asked, key.passkey, challengeID: challenge) { $0.flags = 0 } }
        #expect(asked.code == "passkey_invalid" && asked.json["passkey"] == nil, "\(asked.text)")
      }
      let refused = try await keys.verify(try await keys.scene.signIn(), key.passkey)
      #expect(refused.json["limit"] == .string("mfa_per_account"), "\(refused.text)")
    }
  }

  @Test("a passkey and a code in one request are malformed")
  func both() async throws {
    try await PasskeyScene.run { keys in
      _ = try await keys.enrol()
      let challenge = try await keys.scene.challenge()
      for body in [
        #"{"challenge_id":"\#(challenge)"}"#, #"{"challenge_id":"\#(challenge)","totp":"1","recovery_code":"2"}"#,
      ] {
        #expect(try await keys.client.post("/v1/mfa/verify", body).code == "malformed_request")
      }
    }
  }

  @Test(
    "a browser's bytes that are no answer of WebAuthn are malformed",
    arguments: [
      "{}", #"{"id":"AA","rawId":"AQ","type":"public-key","response":{}}"#, #""x""#, "null",
      #"{"id":"A=","rawId":"A=","type":"public-key","response":{"clientDataJSON":"","authenticatorData":"","signature":""}}"#,
    ])
  func malformed(credential: String) async throws {
    try await PasskeyScene.run { keys in
      let begun = try await keys.startSignIn()
      let refused = try await keys.client.post(
        "/v1/passkeys/sign-in/complete", #"{"challenge_id":"\#(begun.challenge)","credential":\#(credential)}"#)
      #expect(refused.status == 400 && refused.code == "malformed_request", "\(refused.text)")
    }
  }

  // MARK: A passkey to sign in with alone

  private static let alone = "{use: [sign_in]}"

  @Test("a passkey that is there to sign in with alone is not owed after a password")
  func notOwed() async throws {
    try await PasskeyScene.run(Self.alone, mfa: "{factors: [totp]}") { keys in
      _ = try await keys.enrol()
      #expect(try await keys.scene.signIn().status == 200)
    }
  }

  @Test("beside it the password is a fresh proof still, and so is the passkey")
  func freshByPassword() async throws {
    try await PasskeyScene.run(Self.alone, mfa: nil) { keys in
      let key = try await keys.enrol()
      let begun = try await keys.startProof(key.token)
      #expect(
        begun.json["methods"] == .array(["passkey", "recovery_code", "password"].map { .string($0) }), "\(begun.text)")
      let proven = try await keys.scene.prove(#"{"password":"\#(App.password)"}"#, key.token)
      #expect(proven.status == 200, "\(proven.text)")
    }
  }

  @Test("an app beside it is owed, and either is taken")
  func app() async throws {
    try await PasskeyScene.run(Self.alone, mfa: "{factors: [totp]}") { keys in
      let key = try await keys.enrol()
      _ = try await keys.scene.enrol(key.token)
      let asked = try await keys.scene.signIn()
      #expect(
        asked.json["factors"] == .array(["totp", "passkey", "recovery_code"].map { .string($0) }), "\(asked.text)")
      #expect(try await keys.verify(asked, key.passkey).status == 200)
    }
  }

  // MARK: Demands

  @Test("a demand for what resists phishing limits a session by an app, and none by a passkey")
  func phishing() async throws {
    let mfa = "{factors: [totp, passkey], required_if: [{id: all, level: phr}]}"
    try await PasskeyScene.run(mfa: mfa) { keys in
      let key = try await keys.enrol()
      let phone = try await keys.scene.enrol(key.token)
      keys.scene.nextStep()
      let asked = try await keys.scene.signIn()
      #expect(
        asked.json["factors"] == .array(["passkey", "totp", "recovery_code"].map { .string($0) }), "\(asked.text)")
      let byApp = try await keys.scene.verify(asked.challenge, totp: keys.scene.code(phone)).json
      #expect(byApp["access"] == .string("limited") && byApp["next"] == .array([.string("verify_mfa")]), "\(byApp)")
      let byKey = try await keys.enter(key.passkey).json
      #expect(byKey["access"] == .string("full"), "\(byKey)")
    }
  }

  // MARK: Fresh proofs

  @Test("a passkey is a fresh proof, and a challenge for it proves once")
  func fresh() async throws {
    try await PasskeyScene.run { keys in
      let key = try await keys.enrol()
      let token = try await keys.enter(key.passkey).json.accessToken
      keys.scene.clock.advance(seconds: 301)
      #expect(try await keys.start(token).json["methods"] == .array(["passkey", "recovery_code"].map { .string($0) }))
      let begun = try await keys.startProof(token)
      #expect(begun.passkeyChallenge.count == 32, "\(begun.text)")
      let proven = try await keys.prove(begun, key.passkey, token)
      #expect(proven.status == 200, "\(proven.text)")
      #expect(try await keys.prove(begun, key.passkey, token).code == "code_expired")
      #expect(try await keys.start(proven.json.accessToken).status == 200)
    }
  }

  @Test("a fresh proof by an answer that breaks a rule is none, and the fresh options serve")
  func wrongProof() async throws {
    try await PasskeyScene.run { keys in
      let key = try await keys.enrol()
      let begun = try await keys.startProof(key.token)
      let refused = try await keys.prove(begun, key.passkey, key.token) { $0.origin = "https://evil.example" }
      #expect(refused.code == "passkey_invalid" && refused.passkeyChallenge.count == 32, "\(refused.text)")
    }
  }

  @Test("T113 a challenge for a fresh proof is one session's")
  func otherSession() async throws {
    try await PasskeyScene.run { keys in
      let key = try await keys.enrol()
      let other = try await keys.enter(key.passkey).json.accessToken
      let begun = try await keys.startProof(key.token)
      #expect(try await keys.prove(begun, key.passkey, other).code == "code_expired")
      #expect(try await keys.prove(begun, key.passkey, key.token).status == 200)
    }
  }

  @Test("an account without a passkey is told its ways, and gets no challenge")
  func noPasskey() async throws {
    try await PasskeyScene.run { keys in
      let begun = try await keys.startProof(keys.token)
      #expect(
        begun.json["methods"] == .array([.string("password")]) && begun.json["challenge_id"] == nil, "\(begun.text)")
    }
  }

  @Test("without the section a passkey that is there is asked for still, and none is added")
  func sectionGone() async throws {
    try await PasskeyScene.run { keys in
      let key = try await keys.enrol()
      try await keys.scene.apply("{factors: [totp]}")
      let asked = try await keys.scene.signIn()
      #expect(asked.code == "mfa_required", "\(asked.text)")
      let entered = try await keys.verify(asked, key.passkey)
      #expect(entered.status == 200, "\(entered.text)")
      #expect(try await keys.start(entered.json.accessToken).code == "not_found")
    }
  }

  // MARK: Operators and data

  @Test("M10 an operator sees a passkey, and a reset removes it with the sessions")
  func reset() async throws {
    try await PasskeyScene.run { keys in
      let key = try await keys.enrol(name: "Blue")
      let call = keys.scene.apps.asOperator
      let listed = try await ListUserFactors.run(.init(tenant: "messai", user: keys.scene.email), call)
      #expect(listed.items.map(\.type) == ["passkey"] && listed.items.first?.name == "Blue")
      _ = try await ResetUserFactors.run(
        .init(tenant: "messai", user: keys.scene.email, reason: "seen in person"), call)
      #expect(try await keys.scene.stored().factors.isEmpty)
      #expect(try await keys.client.get("/v1/me", token: key.token).code == "session_revoked")
      #expect(try await keys.scene.signIn().status == 200)
    }
  }

  @Test("M11 the export has a passkey by name, id, party, model and time")
  func export() async throws {
    try await PasskeyScene.run { keys in
      let key = try await keys.enrol(name: "Blue")
      let export = try await keys.client.get("/v1/me/export", token: key.token)
      let row = export.json["passkeys"]?.array?.first
      #expect(
        row?.names == ["id", "name", "credential_id", "rp_id", "model", "synced", "created_at", "last_used_at"],
        "\(export.text)")
      #expect(row?["rp_id"] == .string(PasskeyScene.host))
    }
  }

  // MARK: Former holders

  @Test("T099 a passkey that a stranger put to an unproven address goes with the stranger")
  func reclaim() async throws {
    try await PasskeyScene.run(isProven: false) { keys in
      let key = try await keys.enrol()
      let owner = try await keys.scene.provided.google(.messai, "g1", ["email": .string(keys.scene.email)])
      #expect(owner.status == 200, "\(owner.text)")
      #expect(try await keys.scene.stored().factors == [])
      #expect(try await keys.enter(key.passkey).code == "passkey_invalid")
    }
  }

  @Test("a passkey that was added since a change of address goes when the change is undone")
  func undo() async throws {
    try await PasskeyScene.run { keys in
      let key = try await keys.enrol()
      keys.scene.clock.advance(seconds: 61)
      let asked = try await keys.client.post("/v1/me/email", #"{"email":"thief@example.com"}"#, token: key.token)
      try #require(asked.status == 202, "\(asked.text)")
      let token = try await FactorWaysTests.link(to: "thief@example.com", keys.scene)
      let moved = try await keys.client.post("/v1/email-change/confirm", #"{"token":"\#(token)"}"#, token: key.token)
      try #require(moved.status == 200, "\(moved.text)")
      let back = try await FactorWaysTests.link(to: keys.scene.email, keys.scene)
      keys.scene.clock.advance(seconds: 1)
      let thief = try await keys.enrol(key.token)
      keys.scene.clock.advance(seconds: 1)
      let undone = try await keys.client.post("/v1/email-change/undo", #"{"token":"\#(back)"}"#)
      try #require(undone.status == 204, "\(undone.text)")
      #expect(try await keys.enter(thief.passkey).code == "passkey_invalid")
      #expect(try await keys.enter(key.passkey).status == 200)
    }
  }
}
