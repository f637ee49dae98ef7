import Foundation
import GatehouseClientTesting
import GatehouseWire
import Testing

@testable import GatehouseClient

@Suite("A passkey as a second step and as a fresh proof")
struct PasskeyProofTests {
  private let scene = PasskeyStage()

  private func error<Value>(_ body: () async throws(AuthError) -> Value) async -> AuthError.Code? {
    await failure(body)?.code
  }

  @Test("a challenge has the options for the passkeys of the account")
  func challenge() async throws {
    let passkey = try scene.registered()
    let challenge = try await scene.challenge(scene.stage.client())
    #expect(challenge.factors == [.passkey, .recoveryCode])
    #expect(challenge.passkey?.allowedCredentials == [passkey.credentialID])
    #expect(challenge.passkey?.expires == challenge.expires)
  }

  @Test("a passkey completes the sign-in")
  func completed() async throws {
    let passkey = try scene.registered()
    let client = scene.stage.client()
    let challenge = try await scene.challenge(client)
    let request = try #require(challenge.passkey)
    #expect(try await client.verifyMFA(challenge, passkey: passkey.assertion(for: request)).user != nil)
  }

  @Test("a wrong code voids the options, and its refusal has those of the next try")
  func wrongCode() async throws {
    let passkey = try scene.registered()
    let client = scene.stage.client()
    let challenge = try await scene.challenge(client)
    let refused = await failure { () async throws(AuthError) in
      try await client.verifyMFA(challenge, recoveryCode: "none")
    }
    let next = try #require(refused?.passkey)
    #expect(refused?.code == .codeInvalid && next.challenge != challenge.passkey?.challenge)
    #expect(try await client.verifyMFA(challenge, passkey: passkey.assertion(for: next)).user != nil)
  }

  @Test("a passkey of another account completes no sign-in")
  func foreign() async throws {
    _ = try scene.registered()
    scene.server.addAccount(email: "bob@example.com", password: ClientStage.password)
    let foreign = try #require(scene.server.addPasskey(to: "bob@example.com"))
    let client = scene.stage.client()
    let challenge = try await scene.challenge(client)
    let answer = foreign.assertion(for: try #require(challenge.passkey))
    #expect(
      await error { () async throws(AuthError) in try await client.verifyMFA(challenge, passkey: answer) }
        == .passkeyInvalid)
  }

  @Test("an account without passkeys is challenged without options")
  func withoutPasskeys() async throws {
    scene.server.addAccount(email: PasskeyStage.email, password: ClientStage.password)
    scene.server.addTOTP(to: PasskeyStage.email)
    #expect(try await scene.challenge(scene.stage.client()).passkey == nil)
  }

  @Test("a passkey is a way to a fresh proof, after which what waited goes on")
  func proven() async throws {
    let passkey = try scene.registered()
    let client = try await scene.signedIn(passkey)
    scene.stage.clock.advance(by: .seconds(400))
    let refused = await failure { () async throws(AuthError) in try await client.makeRecoveryCodes() }
    #expect(refused?.methods == [.passkey, .recoveryCode])
    let ways = try await client.startReauthentication()
    #expect(ways.methods == [.passkey, .recoveryCode])
    let request = try #require(ways.passkey)
    try await client.reauthenticate(passkey: passkey.assertion(for: request), for: request)
    #expect(try await client.makeRecoveryCodes().count == 10)
  }

  @Test("a session that no second factor proved goes on under another id")
  func raised() async throws {
    scene.server.addAccount(email: PasskeyStage.email, password: ClientStage.password)
    let client = try await scene.stage.signedIn()
    let before = await client.sessionID
    let passkey = try #require(scene.server.addPasskey(to: PasskeyStage.email))
    let request = try #require(try await client.startReauthentication().passkey)
    try await client.reauthenticate(passkey: passkey.assertion(for: request), for: request)
    #expect(await client.sessionID != before)
    #expect(try await client.reload().user != nil)
  }

  @Test("a refused proof has the options of the next try")
  func refused() async throws {
    let passkey = try scene.registered()
    let client = try await scene.signedIn(passkey)
    let request = try #require(try await client.startReauthentication().passkey)
    let wrong = FakePasskey(userHandle: passkey.userHandle).assertion(for: request)
    let refused = await failure { () async throws(AuthError) in
      try await client.reauthenticate(passkey: wrong, for: request)
    }
    let next = try #require(refused?.passkey)
    #expect(refused?.code == .passkeyInvalid && next.allowedCredentials == [passkey.credentialID])
    try await client.reauthenticate(passkey: passkey.assertion(for: next), for: next)
  }

  @Test("a challenge proves once, and in its own session")
  func once() async throws {
    let passkey = try scene.registered()
    let client = try await scene.signedIn(passkey)
    let request = try #require(try await client.startReauthentication().passkey)
    let answer = passkey.assertion(for: request)
    try await client.reauthenticate(passkey: answer, for: request)
    let again = await error { () async throws(AuthError) in
      try await client.reauthenticate(passkey: answer, for: request)
    }
    #expect(again == .codeExpired)
    let other = try await scene.signedIn(passkey, "other")
    let own = try #require(try await other.startReauthentication().passkey)
    let foreign = passkey.assertion(for: own)
    let refused = await error { () async throws(AuthError) in
      try await client.reauthenticate(passkey: foreign, for: own)
    }
    #expect(refused == .codeExpired)
  }

  @Test("an account without a passkey learns its ways alone")
  func ways() async throws {
    let ways = try await scene.stage.signedIn().startReauthentication()
    #expect(ways == ReauthenticationWays(methods: [.password], passkey: nil))
  }

  @Test("options of another form are none, and the rest of the refusal is read")
  func later() throws {
    let text = #"{"code": "mfa_required", "challenge_id": "gh_fl_x", "factors": ["passkey"], "passkey": {"rp": 1.5}}"#
    let problem = try ContractJSON.decode(ProblemAnswer.self, from: Data(text.utf8))
    let challenge = try #require(
      problem.error(scene.stage.configuration(), HTTPAnswer(status: 401)).challenge)
    #expect(challenge.factors == [.passkey] && challenge.passkey == nil)
  }
}
