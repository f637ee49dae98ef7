import Foundation
import GatehouseClientTesting
import GatehouseWire
import Testing

@testable import GatehouseClient

@Suite("The second step of a sign-in")
struct SecondStepTests {
  private let scene = FactorStage().enrolled()

  private func error<Value>(_ body: () async throws(AuthError) -> Value) async -> AuthError.Code? {
    await failure(body)?.code
  }

  @Test("the right password of a person with an authenticator app is answered with a challenge, and opens nothing")
  func asked() async throws {
    let client = scene.stage.client()
    let challenge = try await scene.challenge(client)
    #expect(challenge.factors == [.totp, .recoveryCode] && challenge.rememberFor == FactorStage.month)
    #expect(challenge.expires == scene.stage.clock.now.addingTimeInterval(300))
    #expect(client.state == .signedOut(.never) && scene.server.sessionCount(of: FactorStage.email) == 0)
  }

  @Test("a wrong password is answered as that of any other person")
  func wrongPassword() async throws {
    let refused = await failure { () async throws(AuthError) in
      try await scene.stage.client().signIn(email: FactorStage.email, password: "wrong")
    }
    #expect(refused?.code == .invalidCredentials && refused?.challenge == nil)
  }

  @Test("a code of the app completes the sign-in, and the session outlives a restart")
  func completed() async throws {
    let client = try await scene.signedIn()
    #expect(client.state.user?.email == FactorStage.email)
    #expect(await scene.stage.restarted().hasSession)
  }

  @Test("after a wrong code the next one is taken under the same challenge")
  func wrongCode() async throws {
    let client = scene.stage.client()
    let challenge = try await scene.challenge(client)
    let wrong = await error { () async throws(AuthError) in try await client.verifyMFA(challenge, totp: "abcdef") }
    #expect(wrong == .codeInvalid)
    #expect(try await client.verifyMFA(challenge, totp: try scene.digits()).user != nil)
  }

  @Test("after five wrong codes the sign-in begins again")
  func tries() async throws {
    let client = scene.stage.client()
    let challenge = try await scene.challenge(client)
    for _ in 0..<5 {
      _ = await error { () async throws(AuthError) in try await client.verifyMFA(challenge, totp: "abcdef") }
    }
    let digits = try scene.digits()
    let over = await error { () async throws(AuthError) in try await client.verifyMFA(challenge, totp: digits) }
    #expect(over == .codeExpired)
    #expect(try await scene.signedIn().hasSession)
  }

  @Test("a challenge ends after five minutes")
  func late() async throws {
    let client = scene.stage.client()
    let challenge = try await scene.challenge(client)
    scene.stage.clock.advance(by: .seconds(300))
    let digits = try scene.digits()
    let over = await error { () async throws(AuthError) in try await client.verifyMFA(challenge, totp: digits) }
    #expect(over == .codeExpired)
  }

  @Test("a code is taken once")
  func replayed() async throws {
    let (first, second) = (scene.stage.client(), scene.stage.client("other"))
    let digits = try scene.digits()
    _ = try await first.verifyMFA(try await scene.challenge(first), totp: digits)
    let challenge = try await scene.challenge(second)
    let replayed = await error { () async throws(AuthError) in try await second.verifyMFA(challenge, totp: digits) }
    #expect(replayed == .codeInvalid)
  }

  @Test("a recovery code stands for the app once, however it is spelled")
  func recovery() async throws {
    let code = try #require(scene.server.recoveryCodes(of: FactorStage.email).first)
    let typed = code.lowercased().replacing("-", with: " ")
    let client = scene.stage.client()
    let challenge = try await scene.challenge(client)
    #expect(try await client.verifyMFA(challenge, recoveryCode: typed).user != nil)
    let other = scene.stage.client("other")
    let again = try await scene.challenge(other)
    let used = await error { () async throws(AuthError) in try await other.verifyMFA(again, recoveryCode: code) }
    #expect(used == .codeInvalid)
  }

  @Test("a sign-in by a provider is asked as well")
  func provider() async throws {
    let client = try await scene.signedIn()
    let token = scene.server.idToken("google", subject: "ada", email: FactorStage.email)
    _ = try await client.link("google", idToken: token)
    await client.signOut()
    await client.settle()
    let refused = await failure { () async throws(AuthError) in
      try await client.signIn(with: "google", idToken: token)
    }
    let challenge = try #require(refused?.challenge)
    #expect(try await client.verifyMFA(challenge, totp: try scene.digits()).user?.email == FactorStage.email)
  }

  @Test("a remembered device is asked for no second factor, until its time is over")
  func remembered() async throws {
    let client = scene.stage.client()
    _ = try await client.verifyMFA(try await scene.challenge(client), totp: try scene.digits(), rememberDevice: true)
    await client.signOut()
    #expect(try await client.signIn(email: FactorStage.email, password: ClientStage.password).user != nil)
    await client.signOut()
    scene.stage.clock.advance(by: FactorStage.month)
    let over = try await scene.challenge(client)
    #expect(over.factors == [.totp, .recoveryCode])
  }

  @Test("a device that was not to be remembered is asked again, and so is another one")
  func notRemembered() async throws {
    let client = try await scene.signedIn()
    await client.signOut()
    let again = try await scene.challenge(client)
    _ = try await client.verifyMFA(again, totp: try scene.digits(), rememberDevice: true)
    let elsewhere = try await scene.challenge(scene.stage.client("other"))
    #expect(again.factors == [.totp, .recoveryCode] && elsewhere.factors == [.totp, .recoveryCode])
  }

  @Test("a code whose answer was lost is not sent again: the challenge is used, and the person signs in anew")
  func lostAnswer() async throws {
    let client = scene.stage.client()
    let challenge = try await scene.challenge(client)
    let digits = try scene.digits()
    scene.server.fail(next: .dropAnswer, at: "/v1/mfa/verify")
    let lost = await error { () async throws(AuthError) in try await client.verifyMFA(challenge, totp: digits) }
    #expect(lost == .network && scene.server.count(of: "POST /v1/mfa/verify") == 1 && !client.hasSession)
    let used = await error { () async throws(AuthError) in try await client.verifyMFA(challenge, totp: digits) }
    #expect(used == .codeExpired)
    #expect(try await client.verifyMFA(try await scene.challenge(client), totp: try scene.digits()).user != nil)
  }

  @Test("a challenge is in no store, and shows nothing of itself")
  func secret() async throws {
    let client = scene.stage.client()
    let challenge = try await scene.challenge(client)
    await client.settle()
    let stored = String(
      decoding: try scene.stage.store.read(scene.stage.configuration().storeKey) ?? Data(), as: UTF8.self)
    var shown = "\(challenge)"
    dump(AuthError(.mfaRequired, challenge: challenge), to: &shown)
    #expect(challenge.id.hasPrefix("gh_fl_") && !stored.contains("gh_fl_") && !shown.contains("gh_fl_"))
  }

  @Test("where sign-ins demand an attested app, the second step has an assertion of its own")
  func attested() async throws {
    scene.server.settings.attestedDoors = ["sign_in"]
    var configuration = scene.stage.configuration()
    configuration.attest = AppAttest(keys: FakeAttestKeys())
    let client = AuthClient(configuration)
    #expect(try await client.verifyMFA(try await scene.challenge(client), totp: try scene.digits()).user != nil)
  }

  @Test("factors of a later server are kept as they come, and members that an earlier one lacks are not needed")
  func later() throws {
    let configuration = scene.stage.configuration()
    let answer = HTTPAnswer(status: 401)
    let text = #"{"code": "mfa_required", "challenge_id": "gh_fl_x", "factors": ["passkey", "totp"], "more": 1}"#
    let problem = try ContractJSON.decode(ProblemAnswer.self, from: Data(text.utf8))
    let challenge = try #require(problem.error(configuration, answer).challenge)
    #expect(challenge.factors.map(\.rawValue) == ["passkey", "totp"] && challenge.rememberFor == nil)
  }
}
