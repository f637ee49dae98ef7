import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("A challenge is its own sign-in's")
struct ForeignChallengeTests {
  @Test("T113 another account's code or recovery code ends it not")
  func account() async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      let kim = try await scene.apps.signUp(FactorScene.app, "kim").json
      let other = try await scene.enrol(kim.accessToken)
      scene.nextStep()
      let challenge = try await scene.challenge()
      #expect(try await scene.verify(challenge, totp: scene.code(other)).code == "code_invalid")
      #expect(try await scene.verify(challenge, recovery: other.recoveryCodes[0]).code == "code_invalid")
      #expect(try await scene.verify(challenge, totp: scene.code(phone)).json.userID == scene.up.userID)
      // Neither was used up.
      #expect(try await scene.verify(scene.challenge("kim"), recovery: other.recoveryCodes[0]).status == 200)
      #expect(try await scene.verify(scene.challenge("kim"), totp: scene.code(other)).status == 200)
    }
  }

  @Test("T113 at another tenant it is none, and costs no try")
  func tenant() async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      _ = try await scene.apps.signUp(.vibes)
      scene.nextStep()
      let challenge = try await scene.challenge()
      for _ in 0..<6 {
        let refused = try await scene.verify(challenge, totp: scene.code(phone), at: scene.apps.vibes)
        #expect(refused.code == "code_expired", "\(refused.text)")
      }
      #expect(try await scene.verify(challenge, totp: scene.code(phone)).status == 200)
    }
  }

  @Test("T113 unknown, malformed and of another purpose are one answer")
  func unknown() async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      let enrolment = try await scene.start(phone.token).enrolment
      scene.nextStep()
      let challenge = try await scene.challenge()
      let strange = [
        "", "x", "gh_fl_", "gh_fl_" + String(repeating: "A", count: 43),
        "gh_fl_" + String(repeating: "A", count: 4_000),
        challenge + "A", String(challenge.dropLast()), enrolment, phone.session.refreshToken,
      ]
      var answers: [[String: String]] = []
      for id in strange {
        let refused = try await scene.verify(id, totp: scene.code(phone))
        #expect(refused.code == "code_expired", "\(id) \(refused.text)")
        answers.append(refused.seen)
      }
      #expect(Set(answers).count == 1, "\(Set(answers))")
      #expect(try await scene.confirm(challenge, scene.code(phone), phone.token).code == "code_expired")
      #expect(try await scene.verify(challenge, totp: scene.code(phone)).status == 200)
    }
  }

  @Test("T113 the device of the first request is the session's, and nothing of the second one is")
  func device() async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      let entered = try await scene.enter(phone, device: scene.up.device)
      #expect(entered.device == scene.up.device)
    }
  }

  // MARK: Changes between the two steps

  /// A change of the account after the right password.
  enum Change: String, CaseIterable, Sendable {
    case password, reset, removed, added, codes, disabled, mfaReset, deleted
  }

  private func make(_ change: Change, _ phone: FactorScene.PhoneApp, _ scene: FactorScene) async throws {
    switch change {
    case .password:
      let body = #"{"current_password":"\#(App.password)","password":"\#(App.otherPassword)"}"#
      #expect(try await scene.client.post("/v1/me/password", body, token: phone.token).status == 200)
    case .reset: try await scene.reset(to: App.otherPassword)
    case .removed: #expect(try await scene.remove(phone, phone.token).status == 204)
    case .added: _ = try await scene.enrol(phone.token)
    case .codes: #expect(try await scene.client.post("/v1/me/recovery-codes", token: phone.token).status == 200)
    case .disabled:
      try await Operator.disable(FactorScene.app, "pat", scene.apps)
      try await Operator.disable(FactorScene.app, "pat", scene.apps, disabled: false)
    case .mfaReset: try await Operator.resetFactors(FactorScene.app, on: scene.apps)
    case .deleted: try await Operator.delete(FactorScene.app, on: scene.apps)
    }
  }

  @Test("M03 an account that changed after the first proof is not entered by the second", arguments: Change.allCases)
  func changed(change: Change) async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      scene.nextStep()
      let challenge = try await scene.challenge()
      try await make(change, phone, scene)
      let sessions = change == .deleted ? 0 : try await scene.sessions().count
      let late = try await scene.verify(challenge, totp: scene.code(phone))
      #expect(late.status == 400 && late.code == "code_expired", "\(late.text)")
      let recovery = try await scene.verify(challenge, recovery: phone.recoveryCodes[0])
      #expect(recovery.code == "code_expired", "\(recovery.text)")
      if change != .deleted { #expect(try await scene.sessions().count == sessions) }
    }
  }

  @Test("M03 a disabled person's second proof opens nothing")
  func disabled() async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      scene.nextStep()
      let challenge = try await scene.challenge()
      try await Operator.disable(FactorScene.app, "pat", scene.apps)
      #expect(try await scene.verify(challenge, totp: scene.code(phone)).code == "code_expired")
      #expect(try await scene.rows(.signInSucceeded).isEmpty)
    }
  }
}

extension FactorScene {
  /// Sets another password by the mailed code.
  func reset(to password: String) async throws {
    clock.advance(seconds: 61)
    let asked = try await client.post("/v1/password-reset", #"{"email":"\#(email)"}"#)
    let code = try #require(try await apps.server.latestMail(to: email)?.code)
    let answer = try await client.post(
      "/v1/password-reset/confirm",
      #"{"email":"\#(email)","code":"\#(code)","reset_id":"\#(asked.resetID)","password":"\#(password)"}"#)
    #expect(answer.status == 204, "\(answer.text)")
  }
}
