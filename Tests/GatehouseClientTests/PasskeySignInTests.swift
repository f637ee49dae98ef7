import Foundation
import GatehouseClientTesting
import GatehousePolicy
import Testing

@testable import GatehouseClient

@Suite("A sign-in with a passkey")
struct PasskeySignInTests {
  private let scene = PasskeyStage()

  private func error<Value>(_ body: () async throws(AuthError) -> Value) async -> AuthError.Code? {
    await failure(body)?.code
  }

  @Test("the policy says whether passkeys sign in", arguments: [true, false])
  func policy(signsIn: Bool) async throws {
    var policy = FakePolicy.standard
    policy.signsInWithPasskeys = signsIn
    let client = AuthClient(FakeServer(policy: policy).configuration())
    #expect(try await client.policy().signsInWithPasskeys == signsIn)
  }

  @Test("a passkey says whose it is, and opens a session that outlives a restart")
  func signedIn() async throws {
    let client = try await scene.signedIn(try scene.registered())
    #expect(client.state.user?.email == PasskeyStage.email)
    #expect(await scene.stage.restarted().hasSession)
  }

  @Test("a passkey that verified its user is a fresh proof of both factors")
  func bothFactors() async throws {
    let client = try await scene.signedIn(try scene.registered())
    #expect(try await client.makeRecoveryCodes().count == 10)
  }

  @Test("the options name no passkey, and end after five minutes")
  func options() async throws {
    let request = try await scene.stage.client().startPasskeySignIn()
    #expect(request.allowedCredentials.isEmpty && request.userVerification == "required")
    #expect(request.expires == scene.stage.clock.now.addingTimeInterval(300) && request.challenge.count == 32)
  }

  @Test("a passkey that the server does not know is refused with other options, by which another one signs in")
  func unknown() async throws {
    let passkey = try scene.registered()
    let client = scene.stage.client()
    let request = try await client.startPasskeySignIn()
    let unknown = FakePasskey(userHandle: passkey.userHandle)
    let refused = await failure { () async throws(AuthError) in
      try await client.signIn(with: unknown.assertion(for: request), for: request)
    }
    let next = try #require(refused?.passkey)
    #expect(refused?.code == .passkeyInvalid && next.challenge != request.challenge && next.expires == request.expires)
    #expect(try await client.signIn(with: passkey.assertion(for: next), for: next).user != nil)
  }

  @Test("an answer to the options of before is refused")
  func replayed() async throws {
    let passkey = try scene.registered()
    let client = scene.stage.client()
    let request = try await client.startPasskeySignIn()
    let wrong = FakePasskey(userHandle: passkey.userHandle).assertion(for: request)
    _ = await failure { () async throws(AuthError) in try await client.signIn(with: wrong, for: request) }
    let late = passkey.assertion(for: request)
    #expect(
      await error { () async throws(AuthError) in try await client.signIn(with: late, for: request) } == .passkeyInvalid
    )
  }

  @Test("the fifth refusal has no options, and the sixth answer comes too late")
  func tries() async throws {
    let passkey = try scene.registered()
    let client = scene.stage.client()
    var request = try await client.startPasskeySignIn()
    for number in 1...5 {
      let wrong = FakePasskey(userHandle: passkey.userHandle).assertion(for: request)
      let refused = await failure { () async throws(AuthError) in try await client.signIn(with: wrong, for: request) }
      #expect((refused?.passkey == nil) == (number == 5))
      request = refused?.passkey ?? request
    }
    let right = passkey.assertion(for: request)
    #expect(
      await error { () async throws(AuthError) in try await client.signIn(with: right, for: request) } == .codeExpired)
  }

  @Test("a challenge opens one session, for five minutes")
  func once() async throws {
    let passkey = try scene.registered()
    let client = scene.stage.client()
    let request = try await client.startPasskeySignIn()
    let answer = passkey.assertion(for: request)
    _ = try await client.signIn(with: answer, for: request)
    #expect(
      await error { () async throws(AuthError) in try await client.signIn(with: answer, for: request) } == .codeExpired)
    let late = try await client.startPasskeySignIn()
    scene.stage.clock.advance(by: .seconds(300))
    let answered = passkey.assertion(for: late)
    #expect(
      await error { () async throws(AuthError) in try await client.signIn(with: answered, for: late) } == .codeExpired)
  }

  @Test("a sign-in needs the handle of the account")
  func handle() async throws {
    let passkey = try scene.registered()
    let client = scene.stage.client()
    let request = try await client.startPasskeySignIn()
    var answer = passkey.assertion(for: request)
    answer.userHandle = nil
    let refused = answer
    #expect(
      await error { () async throws(AuthError) in try await client.signIn(with: refused, for: request) }
        == .passkeyInvalid)
  }

  @Test("a disabled person stays out")
  func disabled() async throws {
    let passkey = try scene.registered()
    scene.server.setDisabled(true, PasskeyStage.email)
    let client = scene.stage.client()
    let request = try await client.startPasskeySignIn()
    let answer = passkey.assertion(for: request)
    #expect(
      await error { () async throws(AuthError) in try await client.signIn(with: answer, for: request) }
        == .accountDisabled)
  }

  @Test("a passkey that did not verify its user is one proof, and another factor is asked for")
  func unverified() async throws {
    let scene = PasskeyStage { $0.policy.passkeys?.verification = .preferred }
    var passkey = try scene.registered()
    passkey.verifiesUser = false
    let client = scene.stage.client()
    let request = try await client.startPasskeySignIn()
    let answer = passkey.assertion(for: request)
    let refused = await failure { () async throws(AuthError) in try await client.signIn(with: answer, for: request) }
    let challenge = try #require(refused?.challenge)
    #expect(challenge.factors == [.recoveryCode] && challenge.passkey == nil)
    let code = try #require(scene.server.recoveryCodes(of: PasskeyStage.email).first)
    #expect(try await client.verifyMFA(challenge, recoveryCode: code).user != nil)
  }

  @Test("an answer that was lost is not sent again, and opens no session here")
  func lost() async throws {
    let passkey = try scene.registered()
    let client = scene.stage.client()
    let request = try await client.startPasskeySignIn()
    let answer = passkey.assertion(for: request)
    scene.server.fail(next: .dropAnswer, at: "/v1/passkeys/sign-in/complete")
    #expect(
      await error { () async throws(AuthError) in try await client.signIn(with: answer, for: request) } == .network)
    #expect(scene.server.count(of: "POST /v1/passkeys/sign-in/complete") == 1 && !client.hasSession)
  }

  @Test("where sign-ins demand an attested app, one with a passkey does as well")
  func attested() async throws {
    let passkey = try scene.registered()
    scene.server.settings.attestedDoors = ["sign_in"]
    var configuration = scene.stage.configuration()
    configuration.attest = AppAttest(keys: FakeAttestKeys())
    let client = AuthClient(configuration)
    let request = try await client.startPasskeySignIn()
    #expect(try await client.signIn(with: passkey.assertion(for: request), for: request).user != nil)
  }

  @Test("a passkey that is there to sign in alone is not asked for after a password")
  func signInAlone() async throws {
    let scene = PasskeyStage { $0.factors = [.totp] }
    _ = try scene.registered()
    #expect(
      try await scene.stage.client().signIn(email: PasskeyStage.email, password: ClientStage.password).user != nil)
  }
}
