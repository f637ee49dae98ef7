import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Signing up with a passkey where the tenant hides which addresses have accounts")
struct HiddenPasskeySignUpTests {
  /// A sign-up that waits for its mail.
  private struct Waiting {
    let passkey: TestPasskey
    let id: String
    let code: String
  }

  private func begin(_ keys: PasskeyScene, _ local: String = "kim") async throws -> Waiting {
    let made = try await keys.signUp(local)
    try #require(made.answer.status == 202, "\(made.answer.text)")
    return Waiting(
      passkey: made.passkey, id: made.answer.signUpID, code: try #require(try await keys.mail(local).code))
  }

  private func complete(
    _ waiting: Waiting, _ keys: PasskeyScene, _ local: String = "kim", id: String? = nil
  ) async throws -> TestClient.Answer {
    try await keys.confirm(
      #""sign_up_id":"\#(id ?? waiting.id)","email":"\#(local)@example.com","code":"\#(waiting.code)""#)
  }

  @Test("T028 a taken address gets the answer of a free one, to the byte; its owner gets a mail")
  func taken() async throws {
    try await PasskeyScene.hiding { keys in
      let first = try await begin(keys)
      #expect(try await complete(first, keys).status == 200)
      keys.scene.clock.advance(seconds: 61)
      let taken = try await keys.signUp("kim").answer
      let free = try await keys.signUp("tom").answer
      #expect(taken.status == 202 && taken.unnamed == free.unnamed, "\(taken.text)")
      #expect(try await keys.mail().subject == "You already have a messAI account")
      #expect(try await keys.enter(first.passkey).status == 200)
    }
  }

  @Test("the code and the id complete it, and its passkey signs in")
  func completed() async throws {
    try await PasskeyScene.hiding { keys in
      let waiting = try await begin(keys)
      #expect(try await keys.account() == nil)
      #expect(try await keys.enter(waiting.passkey).code == "passkey_invalid")
      let done = try await complete(waiting, keys)
      #expect(done.status == 200, "\(done.text)")
      let account = try #require(try await keys.account())
      #expect(account.factors == ["passkey"] && account.emailVerifiedAt != nil && account.passwordChangedAt == nil)
      let entered = try await keys.enter(waiting.passkey)
      #expect(entered.status == 200, "\(entered.text)")
      #expect(try await complete(waiting, keys).code == "code_used")
    }
  }

  @Test("in the browser that signed up its session rests on the passkey as one that did not verify its user")
  func session() async throws {
    try await PasskeyScene.hiding { keys in
      let waiting = try await begin(keys)
      let id = try #require(UUID(uuidString: waiting.id))
      let call = try await keys.scene.apps.operatorCall(FactorScene.app)
      let opened: PageSession = try await HiddenSignUp.open(
        id, code: waiting.code, at: "kim@example.com", on: nil, call, keys.scene.apps.server.services)
      let proofs = try #require(opened.signedIn?.session.proofs)
      #expect(proofs.all.map(\.method) == [.passkey] && proofs.level == .aal1)
    }
  }

  @Test("T131 the code with another id completes nothing")
  func otherID() async throws {
    try await PasskeyScene.hiding { keys in
      let (first, second) = (try await begin(keys), try await begin(keys, "tom"))
      let refused = try await complete(first, keys, id: second.id)
      #expect(refused.code == "code_invalid", "\(refused.text)")
      #expect(try await keys.account() == nil)
    }
  }

  @Test("a code that is asked for again completes the same sign-up")
  func again() async throws {
    try await PasskeyScene.hiding { keys in
      let waiting = try await begin(keys)
      keys.scene.clock.advance(seconds: 61)
      let call = try await keys.scene.apps.operatorCall(FactorScene.app)
      let id = try #require(UUID(uuidString: waiting.id))
      let sent = try await HiddenSignUp.again(id, at: "kim@example.com", call, keys.scene.apps.server.services)
      guard case .sent(let next) = sent else {
        Issue.record("\(sent)")
        return
      }
      let code = try #require(try await keys.mail().code)
      let done = try await keys.confirm(
        #""sign_up_id":"\#(next.text)","email":"kim@example.com","code":"\#(code)""#)
      #expect(done.status == 200, "\(done.text)")
      #expect(try await keys.enter(waiting.passkey).status == 200)
    }
  }

  // MARK: The link, opened elsewhere

  @Test("T132 the link alone makes nothing, and neither does a password, which the sign-up does not have")
  func link() async throws {
    try await PasskeyScene.hiding { keys in
      _ = try await begin(keys)
      let token = try await keys.link()
      #expect(try await keys.confirm(#""token":"\#(token)""#).code == "reauthentication_required")
      let typed = try await keys.confirm(#""token":"\#(token)","password":"\#(App.password)""#)
      #expect(typed.code == "invalid_credentials", "\(typed.text)")
      #expect(try await keys.account() == nil)
    }
  }

  @Test("T099 the reader of the mail takes the address by a password of their own, without the stranger's passkey")
  func takenOver() async throws {
    try await PasskeyScene.hiding { keys in
      let stranger = try await begin(keys)
      let token = try await keys.link()
      let taken = try await keys.confirm(#""token":"\#(token)","new_password":"\#(App.otherPassword)""#)
      #expect(taken.status == 200, "\(taken.text)")
      #expect(try await keys.account()?.factors == [])
      #expect(try await keys.enter(stranger.passkey).code == "passkey_invalid")
      #expect(try await keys.scene.signIn("kim", password: App.otherPassword).status == 200)
      #expect(try await complete(stranger, keys).status == 400)
    }
  }

  @Test("T135 where the policy has no password the link takes nothing over, and the code goes on")
  func withoutPassword() async throws {
    try await PasskeyScene.hiding { keys in
      try await keys.serve(PasskeyScene.signsUp) { text in
        PolicyText.hiding(text).replacing("  password: {use: sign_in}\n", with: "")
      }
      let waiting = try await begin(keys)
      let token = try await keys.link()
      let refused = try await keys.confirm(#""token":"\#(token)","new_password":"\#(App.otherPassword)""#)
      #expect(refused.code == "reauthentication_required", "\(refused.text)")
      #expect(try await complete(waiting, keys).status == 200)
      #expect(try await keys.enter(waiting.passkey).status == 200)
    }
  }

  // MARK: What changed meanwhile

  @Test(
    "a sign-up that waits makes no account once the policy has no sign-up by passkeys, and one when it has it again")
  func turnedOff() async throws {
    try await PasskeyScene.hiding { keys in
      let waiting = try await begin(keys)
      try await keys.serve("{use: [sign_in]}", edit: PolicyText.hiding)
      #expect(try await complete(waiting, keys).code == "code_invalid")
      try await keys.serve(PasskeyScene.signsUp, edit: PolicyText.hiding)
      #expect(try await complete(waiting, keys).status == 200)
    }
  }

  @Test("of two sign-ups that wait with one passkey the first that is completed has it")
  func conflict() async throws {
    try await PasskeyScene.hiding { keys in
      let first = try await begin(keys)
      let begun = try await keys.startSignUp("tom")
      let second = try await keys.complete(try PasskeyScene.form(begun, first.passkey, "tom"))
      let waiting = Waiting(
        passkey: first.passkey, id: second.signUpID, code: try #require(try await keys.mail("tom").code))
      #expect(try await complete(first, keys).status == 200)
      let refused = try await complete(waiting, keys, "tom")
      #expect(refused.status == 409 && refused.code == "conflict", "\(refused.text)")
      #expect(try await keys.account("tom") == nil)
    }
  }

  @Test("M04 of fifty right answers to one challenge, at two servers at once, one waits for its mail")
  func once() async throws {
    try await PasskeyScene.hiding { keys in
      try await keys.scene.apps.withSibling { other in
        let begun = try await keys.startSignUp()
        let passkey = try PasskeyScene.passkey(begun.json["public_key"])
        let bodies = try (0..<50).map { try PasskeyScene.form(begun, passkey, "kim\($0)") }
        let answers = try await atOnce(50) { number in
          try await keys.complete(bodies[number], at: number % 2 == 0 ? keys.client : other.messai)
        }
        #expect(answers.count { $0.status == 202 } == 1, "\(answers.map { $0.code ?? "" })")
      }
    }
  }
}
