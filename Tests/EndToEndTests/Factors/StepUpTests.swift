import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("A fresh proof is at the highest level that the account can reach")
struct StepUpTests {
  /// A person with an authenticator app and a passkey.
  private struct Person {
    let keys: PasskeyScene
    let phone: FactorScene.PhoneApp
    let key: PasskeyScene.Key
    let recoveryCodes: [String]

    /// The session of a sign-in by the password and the app.
    func byApp() async throws -> String { try await keys.scene.enter(phone).accessToken }

    func export(_ token: String) async throws -> TestClient.Answer {
      try await keys.client.get("/v1/me/export", token: token)
    }

    /// Begins to add another app: a door on factors.
    func adds(_ token: String) async throws -> TestClient.Answer { try await keys.scene.start(token) }
  }

  private func run(
    _ body: (Person) async throws -> Void
  ) async throws {
    try await PasskeyScene.run { keys in
      let key = try await keys.enrol()
      let phone = try await keys.scene.enrol(key.token)
      try await body(Person(keys: keys, phone: phone, key: key, recoveryCodes: key.recoveryCodes))
    }
  }

  private static func methods(_ names: String...) -> JSONValue { .array(names.map { .string($0) }) }

  @Test("of an account with a passkey a session by an app opens no door, and the passkey is asked for")
  func weaker() async throws {
    try await run { pat in
      let refused = try await pat.export(try await pat.byApp())
      #expect(
        refused.code == "reauthentication_required" && refused.json["methods"] == Self.methods("passkey"),
        "\(refused.text)")
    }
  }

  @Test("a code of the app makes such a session no stronger")
  func weakerAgain() async throws {
    try await run { pat in
      let token = try await pat.byApp()
      pat.keys.scene.nextStep()
      let proven = try await pat.keys.scene.prove(#"{"totp":"\#(pat.keys.scene.code(pat.phone))"}"#, token)
      try #require(proven.status == 200, "\(proven.text)")
      #expect(try await pat.export(proven.json.accessToken).code == "reauthentication_required")
    }
  }

  @Test("the passkey joins, the token says so, and the door opens")
  func raised() async throws {
    try await run { pat in
      let token = try await pat.byApp()
      let proven = try await pat.keys.prove(try await pat.keys.startProof(token), pat.key.passkey, token).json
      #expect(try Token.claims(of: proven.accessToken)["acr"] == .string("phr"))
      #expect(try await pat.export(proven.accessToken).status == 200)
    }
  }

  @Test("in a session at that level a code of the app is a fresh proof again")
  func refreshed() async throws {
    try await run { pat in
      let token = try await pat.keys.enter(pat.key.passkey).json.accessToken
      pat.keys.scene.clock.advance(seconds: 301)
      let refused = try await pat.export(token)
      #expect(refused.json["methods"] == Self.methods("totp", "passkey", "recovery_code"), "\(refused.text)")
      let proven = try await pat.keys.scene.prove(#"{"totp":"\#(pat.keys.scene.code(pat.phone))"}"#, token)
      #expect(try await pat.export(proven.json.accessToken).status == 200, "\(proven.text)")
    }
  }

  @Test("the doors of factors offer the recovery code beside the passkey")
  func offered() async throws {
    try await run { pat in
      let refused = try await pat.adds(try await pat.byApp())
      #expect(refused.json["methods"] == Self.methods("passkey", "recovery_code"), "\(refused.text)")
    }
  }

  @Test("a recovery code opens the doors of factors, and no other")
  func recovery() async throws {
    try await run { pat in
      let challenge = try await pat.keys.scene.challenge()
      let entered = try await pat.keys.scene.verify(challenge, recovery: pat.recoveryCodes[0]).json
      #expect(try await pat.export(entered.accessToken).code == "reauthentication_required")
      #expect(try await pat.adds(entered.accessToken).status == 200)
    }
  }

  @Test("a recovery code opens them for five minutes")
  func recoveryLate() async throws {
    try await run { pat in
      let challenge = try await pat.keys.scene.challenge()
      let entered = try await pat.keys.scene.verify(challenge, recovery: pat.recoveryCodes[0]).json
      pat.keys.scene.clock.advance(seconds: 301)
      #expect(try await pat.adds(entered.accessToken).code == "reauthentication_required")
    }
  }

  @Test("after a lost passkey was removed by a recovery code the app opens every door")
  func lost() async throws {
    try await run { pat in
      let challenge = try await pat.keys.scene.challenge()
      let entered = try await pat.keys.scene.verify(challenge, recovery: pat.recoveryCodes[0]).json
      let removed = try await pat.keys.client.send(
        "DELETE", "/v1/me/factors/\(pat.key.id)", token: entered.accessToken)
      try #require(removed.status == 204, "\(removed.text)")
      #expect(try await pat.export(try await pat.byApp()).status == 200)
    }
  }

  @Test("a passkey of another domain is no level that the account can reach, and no way to it")
  func otherDomain() async throws {
    try await run { pat in
      try await pat.keys.scene.apps.disown(PasskeyScene.host, of: FactorScene.app.rawValue)
      try await pat.keys.scene.apps.own("login.messai.test", of: FactorScene.app.rawValue)
      let token = try await pat.byApp()
      #expect(try await pat.keys.startProof(token).json["methods"] == Self.methods("totp", "recovery_code"))
      #expect(try await pat.export(token).status == 200)
    }
  }

  @Test("a synced passkey is none where the policy refuses such since")
  func refused() async throws {
    try await PasskeyScene.run { keys in
      let key = try await keys.enrol { $0.flags |= TestPasskey.eligible | TestPasskey.backedUp }
      let phone = try await keys.scene.enrol(key.token)
      let text = PolicyText.with(
        mfa: "{factors: [totp, passkey]}", ProvidedApps.policy(.messai, try TestLists.policy("messai")))
      _ = try await keys.scene.apps.server.apply(
        text + "passkeys: {use: [sign_in, second_factor], synced: false}\n", to: "messai", allowsWeaker: true)
      let token = try await keys.scene.enter(phone).accessToken
      #expect(try await keys.client.get("/v1/me/export", token: token).status == 200)
    }
  }

  @Test("a passkey that no relying party asks for is no level that the account can reach")
  func noParty() async throws {
    try await run { pat in
      try await pat.keys.scene.apps.disown(PasskeyScene.host, of: FactorScene.app.rawValue)
      #expect(try await pat.export(try await pat.byApp()).status == 200)
    }
  }

  @Test("a passkey that is there to sign in with alone leaves the password a fresh proof")
  func notOwed() async throws {
    try await PasskeyScene.run("{use: [sign_in]}", mfa: nil) { keys in
      _ = try await keys.enrol()
      let token = try await keys.scene.signIn().json.accessToken
      #expect(try await keys.client.get("/v1/me/export", token: token).status == 200)
    }
  }

  @Test("a change of the password wants the passkey as well")
  func passwordChange() async throws {
    try await run { pat in
      let body = #"{"current_password":"\#(App.password)","password":"Another-Prairie-2032!"}"#
      let refused = try await pat.keys.client.post("/v1/me/password", body, token: try await pat.byApp())
      #expect(refused.json["methods"] == Self.methods("passkey"), "\(refused.text)")
    }
  }
}
