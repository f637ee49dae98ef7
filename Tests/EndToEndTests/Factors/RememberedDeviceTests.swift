import Foundation
import GatehouseIdentity
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("A device on which a second factor was used")
struct RememberedDeviceTests {
  private static let day = 86_400.0

  /// A person whose second factor was used on the phone that they signed up on, and is to be remembered there.
  private func run(
    mfa: String = PolicyText.mfa, _ body: (FactorScene, FactorScene.PhoneApp) async throws -> Void
  ) async throws {
    try await FactorScene.run(mfa: mfa) { scene in
      let phone = try await scene.enrol()
      _ = try await scene.enter(phone, device: scene.up.device, remember: true)
      try await body(scene, phone)
    }
  }

  private func isAsked(_ scene: FactorScene, device: String? = nil, password: String = App.password) async throws
    -> Bool
  {
    let answer = try await scene.signIn(password: password, device: device ?? scene.up.device)
    #expect(answer.status == 200 || answer.code == "mfa_required", "\(answer.text)")
    return answer.status != 200
  }

  @Test("M05 a sign-in on it asks for no second factor, and is no stronger than its first one")
  func remembered() async throws {
    try await run { scene, _ in
      let entered = try await scene.signIn(device: scene.up.device)
      try #require(entered.status == 200, "\(entered.text)")
      let claims = try Token.claims(of: entered.json.accessToken)
      #expect(claims["amr"] == .array([.string("pwd")]) && claims["acr"] == .string("aal1"))
      #expect(claims["auth_time"] == .integer(Int64(scene.clock.now.timeIntervalSince1970)))
      let export = try await scene.client.get("/v1/me/export", token: entered.json.accessToken)
      #expect(export.code == "reauthentication_required", "\(export.text)")
      #expect(export.json["methods"] == .array([.string("totp"), .string("recovery_code")]))
      #expect(try await scene.rows(.deviceRemembered).count == 1)
      let row = try await scene.rows(.signInSucceeded).first
      #expect(row?.details["method"] == "pwd" && row?.details["second"] == "remembered_device")
    }
  }

  @Test("M05 where it was not asked for, nothing is remembered", arguments: [nil, false])
  func unasked(remember: Bool?) async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      _ = try await scene.enter(phone, device: scene.up.device, remember: remember)
      #expect(try await isAsked(scene))
      #expect(try await scene.rows(.deviceRemembered).isEmpty)
    }
  }

  @Test("M05 a policy without it remembers nothing, and the challenge says so")
  func never() async throws {
    try await FactorScene.run(mfa: "{factors: [totp]}") { scene in
      let phone = try await scene.enrol()
      #expect(try await scene.signIn().json["remember_for"] == nil)
      _ = try await scene.enter(phone, device: scene.up.device, remember: true)
      #expect(try await isAsked(scene))
      #expect(try await scene.rows(.deviceRemembered).isEmpty)
    }
  }

  @Test("M05 a recovery code is a second factor to be remembered as well")
  func recovery() async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      let challenge = try await scene.challenge(device: scene.up.device)
      #expect(try await scene.verify(challenge, recovery: phone.recoveryCodes[0], remember: true).status == 200)
      #expect(try await !isAsked(scene))
    }
  }

  @Test("M05 a new device is remembered by the id that the answer gives it")
  func new() async throws {
    try await FactorScene.run { scene in
      let entered = try await scene.enter(try await scene.enrol(), remember: true)
      #expect(entered.device != scene.up.device)
      #expect(try await !isAsked(scene, device: entered.device))
      #expect(try await isAsked(scene))
    }
  }

  @Test(
    "M05 it ends with the policy's time, counted from the second factor",
    arguments: [(30 * day - 1, false), (30 * day, true)])
  func time(seconds: Double, isAsked: Bool) async throws {
    try await run { scene, _ in
      // A sign-in without a second factor moves nothing.
      scene.clock.advance(seconds: seconds / 2)
      let isAskedBetween = try await self.isAsked(scene)
      scene.clock.advance(seconds: seconds / 2)
      let isAskedThen = try await self.isAsked(scene)
      #expect(!isAskedBetween && isAskedThen == isAsked)
    }
  }

  @Test(
    "M05 a shorter policy counts at once", arguments: ["{factors: [totp], remember_device: 1d}", "{factors: [totp]}"])
  func shorter(mfa: String) async throws {
    try await run { scene, _ in
      scene.clock.advance(seconds: 2 * Self.day)
      #expect(try await !isAsked(scene))
      let text = PolicyText.with(mfa: mfa, ProvidedApps.policy(.messai, try TestLists.policy("messai")))
      try await scene.provided.serve(text, at: .messai)
      #expect(try await isAsked(scene))
    }
  }

  @Test("M05 without the section it is asked for everywhere")
  func noSection() async throws {
    try await run { scene, _ in
      let text = PolicyText.with(mfa: nil, ProvidedApps.policy(.messai, try TestLists.policy("messai")))
      try await scene.provided.serve(text, at: .messai)
      #expect(try await isAsked(scene))
    }
  }

  @Test("M05 another account on it is asked, and another tenant's person")
  func others() async throws {
    try await run { scene, _ in
      let kim = try await scene.apps.signUp(FactorScene.app, "kim").json
      _ = try await scene.enrol(kim.accessToken)
      #expect(try await scene.signIn("kim", device: scene.up.device).code == "mfa_required")
      // Its own device, of another account, is none of this one's.
      #expect(try await isAsked(scene, device: kim.device))
    }
  }

  /// What ends the trust in it.
  enum End: String, CaseIterable, Sendable { case password, reset, factor, codes, forgotten, signedOut }

  @Test("M05 it ends with a change of what opens the account, and with the device", arguments: End.allCases)
  func ended(end: End) async throws {
    try await run { scene, phone in
      let token = try await scene.prove(#"{"recovery_code":"\#(phone.recoveryCodes[0])"}"#, phone.token).json
        .accessToken
      #expect(try await !isAsked(scene))
      var password = App.password
      switch end {
      case .password:
        password = App.otherPassword
        let body = #"{"current_password":"\#(App.password)","password":"\#(password)"}"#
        #expect(try await scene.client.post("/v1/me/password", body, token: token).status == 200)
      case .reset:
        password = App.otherPassword
        try await scene.reset(to: password)
      case .factor: _ = try await scene.enrol(token)
      case .codes: #expect(try await scene.client.post("/v1/me/recovery-codes", token: token).status == 200)
      case .forgotten: try await Operator.revoke(FactorScene.app, "pat", scene.apps)
      case .signedOut:
        let other = try await scene.verify(scene.challenge(), recovery: phone.recoveryCodes[1]).json.accessToken
        #expect(try await scene.client.post("/v1/sign-out", #"{"scope":"all"}"#, token: other).status == 204)
      }
      #expect(try await isAsked(scene, password: password))
    }
  }

  @Test("M05 the last recovery code opens nothing any more, so that its use leaves the trust")
  func lastCode() async throws {
    try await run { scene, _ in
      #expect(try await !isAsked(scene))
      try await scene.write("UPDATE gatehouse.recovery_code SET used_at = created_at WHERE used_at IS NULL")
      #expect(try await !isAsked(scene))
    }
  }
}
