import Foundation
import GatehouseIdentity
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Tries at a second factor, over sign-ins and servers")
struct SecondProofRaceTests {
  @Test("M04 of fifty right codes for one challenge, at two servers at once, one opens a session")
  func onceEach() async throws {
    try await FactorScene.run { scene in
      try await scene.apps.withSibling { other in
        let phone = try await scene.enrol()
        scene.nextStep()
        let before = try await scene.sessions().count
        let (challenge, code) = (try await scene.challenge(), scene.code(phone))
        let answers = try await atOnce(50) { number in
          try await scene.verify(challenge, totp: code, at: number % 2 == 0 ? scene.client : other.messai)
        }
        #expect(answers.count { $0.status == 200 } == 1, "\(answers.map { $0.code ?? "" })")
        // Of so many at once some are refused by the limit of the account.
        #expect(answers.allSatisfy { [200, 400, 429].contains($0.status) }, "\(answers.map(\.text))")
        #expect(try await scene.sessions().count == before + 1)
        #expect(try await scene.rows(.signInSucceeded).count == 1)
      }
    }
  }

  @Test("T104 of one code for five challenges at once one sign-in is opened", arguments: [true, false])
  func oneCode(isApp: Bool) async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      scene.nextStep()
      var challenges: [String] = []
      for _ in 0..<5 { challenges.append(try await scene.challenge()) }
      let (code, waiting) = (scene.code(phone), challenges)
      let answers = try await atOnce(5) { number in
        isApp
          ? try await scene.verify(waiting[number], totp: code)
          : try await scene.verify(waiting[number], recovery: phone.recoveryCodes[0])
      }
      #expect(answers.count { $0.status == 200 } == 1, "\(answers.map(\.text))")
      #expect(answers.count { $0.code == "code_invalid" } == 4, "\(answers.map(\.text))")
    }
  }

  @Test("T105 an account has ten wrong codes in a quarter of an hour: over challenges, fresh proofs and servers")
  func limit() async throws {
    try await FactorScene.run { scene in
      try await scene.apps.withSibling { other in
        let phone = try await scene.enrol()
        scene.nextStep()
        let wrong = scene.wrong(phone)
        for client in [scene.client, other.messai] {
          let challenge = try await scene.challenge()
          for _ in 0..<3 {
            #expect(try await scene.verify(challenge, totp: wrong, at: client).code == "code_invalid")
          }
        }
        let challenge = try await scene.challenge()
        #expect(try await scene.verify(challenge, recovery: "wrong").code == "code_invalid")
        for body in [#"{"totp":"\#(wrong)"}"#, #"{"totp":"\#(wrong)"}"#, #"{"recovery_code":"wrong"}"#] {
          #expect(try await scene.prove(body, phone.token).code == "code_invalid")
        }
        let code = scene.code(phone)
        for client in [scene.client, other.messai] {
          let refused = try await scene.verify(scene.challenge(), totp: code, at: client)
          #expect(refused.status == 429 && refused.code == "rate_limited", "\(refused.text)")
          let again = try await client.post("/v1/reauthenticate", #"{"totp":"\#(code)"}"#, token: phone.token)
          #expect(again.status == 429, "\(again.text)")
        }
        scene.clock.advance(seconds: 900)
        #expect(try await scene.verify(scene.challenge(), totp: scene.code(phone)).status == 200)
      }
    }
  }

  @Test("T105 right codes are no tries")
  func returned() async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      let before = try await scene.rows(.signInSucceeded).count
      for _ in 0..<12 { _ = try await scene.enter(phone) }
      #expect(try await scene.rows(.signInSucceeded).count == before + 12)
    }
  }

  @Test("T105 another account's tries are its own")
  func others() async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      let kim = try await scene.enrol(try await scene.apps.signUp(FactorScene.app, "kim").json.accessToken)
      for _ in 0..<10 { _ = try await scene.prove(#"{"totp":"\#(scene.wrong(kim))"}"#, kim.token) }
      #expect(try await scene.prove(#"{"totp":"\#(scene.wrong(kim))"}"#, kim.token).code == "rate_limited")
      #expect(try await scene.verify(scene.challenge(), totp: scene.code(phone, step: 1)).code == "code_invalid")
      let entered = try await scene.enter(phone)
      #expect(!entered.accessToken.isEmpty)
    }
  }

  @Test("T105 a try that the limit of the account refuses is no try of the challenge")
  func limitFirst() async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      scene.nextStep()
      let challenge = try await scene.challenge()
      let wrong = scene.wrong(phone)
      for _ in 0..<10 { _ = try await scene.prove(#"{"totp":"\#(wrong)"}"#, phone.token) }
      for _ in 0..<6 {
        #expect(try await scene.verify(challenge, totp: wrong).code == "rate_limited")
      }
      try await scene.write("DELETE FROM gatehouse.limit_counter")
      #expect(try await scene.verify(challenge, totp: scene.code(phone)).status == 200)
    }
  }

  // MARK: The lock

  /// Another wrong code is the hundredth in a row.
  private func nearlyLocked(_ scene: FactorScene, failures: Int = 99) async throws {
    try await scene.write("UPDATE gatehouse.totp SET failures = \(failures)")
  }

  @Test("T105 after a hundred wrong codes in a row no app proves anything, until a recovery code is used")
  func locked() async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      try await nearlyLocked(scene)
      scene.nextStep()
      let challenge = try await scene.challenge()
      #expect(try await scene.verify(challenge, totp: scene.wrong(phone)).code == "code_invalid")
      #expect(try await scene.rows(.secondProofLocked).count == 1)
      #expect(try await scene.verify(challenge, totp: scene.code(phone)).code == "code_invalid")
      let again = try await scene.prove(#"{"totp":"\#(scene.code(phone))"}"#, phone.token)
      #expect(again.code == "code_invalid", "\(again.text)")
      #expect(try await scene.rows(.secondProofLocked).count == 1)
      #expect(try await scene.verify(challenge, recovery: phone.recoveryCodes[0]).status == 200)
      _ = try await scene.enter(phone)
    }
  }

  @Test("T105 the hundredth try may be right, and clears the count")
  func nearly() async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      try await nearlyLocked(scene)
      _ = try await scene.enter(phone)
      #expect(try await scene.count("SELECT sum(failures)::bigint FROM gatehouse.totp") == 0)
    }
  }

  @Test("T105 all apps of an account share the count")
  func shared() async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      let tablet = try await scene.enrol(phone.token)
      try await nearlyLocked(scene)
      scene.nextStep()
      let challenge = try await scene.challenge()
      #expect(try await scene.verify(challenge, totp: scene.wrong(phone)).code == "code_invalid")
      for app in [phone, tablet] {
        #expect(try await scene.verify(challenge, totp: scene.code(app)).code == "code_invalid")
      }
    }
  }

  @Test("T105 a new password does not unlock it", arguments: [true, false])
  func newPassword(isReset: Bool) async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      try await nearlyLocked(scene, failures: 100)
      if isReset {
        try await scene.reset(to: App.otherPassword)
      } else {
        let body = #"{"current_password":"\#(App.password)","password":"\#(App.otherPassword)"}"#
        #expect(try await scene.client.post("/v1/me/password", body, token: phone.token).status == 200)
      }
      scene.nextStep()
      let challenge = try await scene.challenge(password: App.otherPassword)
      #expect(try await scene.verify(challenge, totp: scene.code(phone)).code == "code_invalid")
      #expect(try await scene.verify(challenge, recovery: phone.recoveryCodes[1]).status == 200)
    }
  }
}
