import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Signing in with a second factor")
struct SecondProofTests {
  @Test("M12 a wrong password is answered alike, whether the account has a second factor or not")
  func noHint() async throws {
    try await FactorScene.run { scene in
      _ = try await scene.apps.signUp(FactorScene.app, "kim")
      _ = try await scene.enrol()
      scene.nextStep()
      let pat = try await scene.signIn(password: App.otherPassword)
      let kim = try await scene.signIn("kim", password: App.otherPassword)
      let unknown = try await scene.signIn("unknown", password: App.otherPassword)
      #expect(pat.status == 401 && pat.seen == kim.seen, "\(pat.seen) \(kim.seen)")
      #expect(pat.seen == unknown.seen)
    }
  }

  @Test("after the right password the second factors are named, and nothing is opened")
  func asked() async throws {
    try await FactorScene.run { scene in
      _ = try await scene.enrol()
      let before = try await scene.sessions().count
      let asked = try await scene.signIn()
      #expect(asked.status == 401 && asked.code == "mfa_required", "\(asked.text)")
      #expect(asked.challenge.hasPrefix("gh_fl_") && asked.json["expires_in"] == .integer(300))
      #expect(asked.json["factors"] == .array([.string("totp"), .string("recovery_code")]))
      #expect(asked.json["remember_for"] == .integer(30 * 86_400))
      #expect(asked.headers["set-cookie"] == nil && asked.headers["cache-control"] == "no-store")
      for secret in ["access_token", "refresh_token", "user", "device", "session"] {
        #expect(asked.json[secret] == nil, "\(secret)")
      }
      #expect(try await scene.sessions().count == before)
    }
  }

  @Test("the code of the app opens the session, whose token says so")
  func right() async throws {
    try await FactorScene.run { scene in
      let entered = try await scene.enter(try await scene.enrol())
      let claims = try Token.claims(of: entered.accessToken)
      #expect(claims["amr"] == .array([.string("pwd"), .string("otp"), .string("mfa")]))
      #expect(claims["acr"] == .string("aal2"))
      #expect(entered["user"]?["email"] == .string(scene.email) && entered.device.hasPrefix("gh_dv_"))
      #expect(try await scene.apps.refresh(FactorScene.app, entered.refreshToken).status == 200)
      let row = try #require(try await scene.rows(.signInSucceeded).first)
      #expect(row.details["method"] == "pwd" && row.details["second"] == "totp")
    }
  }

  @Test("after a wrong code the right one is taken under the same challenge")
  func wrong() async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      scene.nextStep()
      let challenge = try await scene.challenge()
      let refused = try await scene.verify(challenge, totp: scene.wrong(phone))
      #expect(refused.status == 400 && refused.code == "code_invalid", "\(refused.text)")
      #expect(try await scene.verify(challenge, totp: scene.code(phone)).status == 200)
      #expect(try await scene.verify(challenge, totp: scene.code(phone)).code == "code_expired")
    }
  }

  @Test("T113 after five tries a challenge is over")
  func tries() async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      scene.nextStep()
      let challenge = try await scene.challenge()
      for _ in 0..<5 {
        #expect(try await scene.verify(challenge, totp: scene.wrong(phone)).code == "code_invalid")
      }
      #expect(try await scene.verify(challenge, totp: scene.code(phone)).code == "code_expired")
      #expect(try await scene.verify(scene.challenge(), totp: scene.code(phone)).status == 200)
    }
  }

  @Test("it waits for five minutes", arguments: [299, 300])
  func time(seconds: Int) async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      let challenge = try await scene.challenge()
      scene.clock.advance(seconds: Double(seconds))
      let late = try await scene.verify(challenge, totp: scene.code(phone))
      #expect(late.code == (seconds < 300 ? nil : "code_expired"), "\(late.text)")
    }
  }

  @Test("exactly one proof is given")
  func malformed() async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      let challenge = try await scene.challenge()
      #expect(try await scene.verify(challenge).code == "malformed_request")
      let both = try await scene.verify(challenge, totp: scene.code(phone), recovery: phone.recoveryCodes[0])
      #expect(both.code == "malformed_request", "\(both.text)")
      // Neither was a try.
      scene.nextStep()
      #expect(try await scene.verify(challenge, totp: scene.code(phone)).status == 200)
    }
  }

  @Test("M08 a factor that the policy has no more is asked for still, and cannot be added")
  func disallowed() async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      let text = PolicyText.with(mfa: nil, ProvidedApps.policy(.messai, try TestLists.policy("messai")))
      try await scene.provided.serve(text, at: .messai)
      let entered = try await scene.enter(phone)
      #expect(try Token.claims(of: entered.accessToken)["acr"] == .string("aal2"))
      #expect(try await scene.start(entered.accessToken).code == "not_found")
      #expect(try await scene.factors(entered.accessToken).factorIDs == [phone.id])
      #expect(try await scene.remove(phone, entered.accessToken).status == 204)
    }
  }

  // MARK: Time steps

  @Test(
    "T104 the codes of now and of the step before are taken, and no others",
    arguments: [(-2, false), (-1, true), (0, true), (1, false)])
  func steps(offset: Int64, isTaken: Bool) async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      scene.clock.advance(seconds: 120)
      let answer = try await scene.verify(scene.challenge(), totp: scene.code(phone, step: offset))
      #expect(answer.code == (isTaken ? nil : "code_invalid"), "\(answer.text)")
    }
  }

  @Test("T104 a code is taken once: that of the enrolment, that of a sign-in, and each one before them")
  func replayed() async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      #expect(try await scene.verify(scene.challenge(), totp: scene.code(phone)).code == "code_invalid")
      scene.clock.advance(seconds: 120)
      #expect(try await scene.verify(scene.challenge(), totp: scene.code(phone)).status == 200)
      for offset in [0, -1] as [Int64] {
        let again = try await scene.verify(scene.challenge(), totp: scene.code(phone, step: offset))
        #expect(again.code == "code_invalid", "\(offset) \(again.text)")
      }
      scene.nextStep()
      #expect(try await scene.verify(scene.challenge(), totp: scene.code(phone, step: -1)).code == "code_invalid")
      #expect(try await scene.verify(scene.challenge(), totp: scene.code(phone)).status == 200)
    }
  }

  @Test("of two apps either proves, and the code of one is not used up by the other")
  func two() async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      let tablet = try await scene.enrol(phone.token)
      scene.nextStep()
      for app in [phone, tablet] {
        #expect(try await scene.verify(scene.challenge(), totp: scene.code(app)).status == 200)
      }
    }
  }
}
