import Foundation
import GatehouseClientTesting
import GatehousePolicy
import GatehouseWire
import Testing

@testable import GatehouseClient

@Suite("Passkeys of an account")
struct PasskeyTests {
  private let scene = PasskeyStage()

  private func error<Value>(_ body: () async throws(AuthError) -> Value) async -> AuthError.Code? {
    await failure(body)?.code
  }

  @Test("a first passkey comes with recovery codes, and the session goes on under another id")
  func added() async throws {
    let client = try await scene.stage.signedIn()
    let before = await client.sessionID
    let creation = try await client.startPasskey()
    let added = try await client.addPasskey(
      FakePasskey(for: creation).registration(for: creation), for: creation, name: "Phone")
    #expect(added.factor.kind == .passkey && added.factor.name == "Phone" && added.recoveryCodes.count == 10)
    #expect(await client.sessionID != before)
    #expect(try await client.reload().user != nil)
    #expect(await scene.stage.restarted().hasSession)
  }

  @Test("a passkey beside another factor comes with no recovery codes")
  func second() async throws {
    let client = try await scene.signedIn(try scene.registered())
    let creation = try await client.startPasskey()
    let added = try await client.addPasskey(FakePasskey(for: creation).registration(for: creation), for: creation)
    #expect(added.recoveryCodes.isEmpty)
  }

  @Test("the options name the account, the app, and the passkeys that are there")
  func options() async throws {
    let passkey = try scene.registered()
    let creation = try await scene.signedIn(passkey).startPasskey()
    #expect(creation.relyingParty == "auth.example.com" && creation.userName == PasskeyStage.email)
    #expect(creation.relyingPartyName == "App" && creation.userID == passkey.userHandle)
    #expect(creation.excludedCredentials == [passkey.credentialID] && creation.algorithms.first == -7)
    #expect(creation.userVerification == "required" && creation.attestation == "none")
    #expect(creation.expires == scene.stage.clock.now.addingTimeInterval(600) && creation.challenge.count == 32)
  }

  @Test("options as a text have the names of the standard")
  func text() async throws {
    let client = try await scene.stage.signedIn()
    let creation = try await client.startPasskey()
    let options = try JSONDecoder().decode(CreationOptions.self, from: Data(creation.json.utf8))
    #expect(options == creation.options && creation.json.contains(#""pubKeyCredParams""#))
    let request = try await client.startPasskeySignIn()
    #expect(request.json.contains(#""rpId":"auth.example.com""#) && !request.json.contains("gh_fl_"))
  }

  @Test("the answer of a web view is taken as the bytes of a system are")
  func webView() async throws {
    let client = try await scene.stage.signedIn()
    let creation = try await client.startPasskey()
    let registration = FakePasskey(for: creation).registration(for: creation)
    let text = String(decoding: try JSONEncoder().encode(registration.answer), as: UTF8.self)
    #expect(PasskeyRegistration(json: text) == registration)
    let request = try await client.startPasskeySignIn()
    let assertion = FakePasskey(for: creation).assertion(for: request)
    let other = String(decoding: try JSONEncoder().encode(assertion.answer), as: UTF8.self)
    #expect(PasskeyAssertion(json: other) == assertion)
    #expect(PasskeyAssertion(json: "{}") == nil && PasskeyRegistration(json: "no JSON") == nil)
  }

  @Test("an enrolment has one try")
  func oneTry() async throws {
    let client = try await scene.stage.signedIn()
    let (first, creation) = (try await client.startPasskey(), try await client.startPasskey())
    let wrong = FakePasskey(for: creation).registration(for: first)
    let refused = await error { () async throws(AuthError) in try await client.addPasskey(wrong, for: creation) }
    #expect(refused == .passkeyInvalid)
    let right = FakePasskey(for: creation).registration(for: creation)
    #expect(
      await error { () async throws(AuthError) in try await client.addPasskey(right, for: creation) } == .codeExpired)
  }

  @Test("a second enrolment of a session takes the place of the first")
  func replaced() async throws {
    let client = try await scene.stage.signedIn()
    let first = try await client.startPasskey()
    _ = try await client.startPasskey()
    let made = FakePasskey(for: first).registration(for: first)
    #expect(await error { () async throws(AuthError) in try await client.addPasskey(made, for: first) } == .codeExpired)
  }

  @Test("a passkey that an account has is added to no other one")
  func taken() async throws {
    let client = try await scene.signedIn(try scene.registered())
    let creation = try await client.startPasskey()
    let passkey = FakePasskey(for: creation)
    _ = try await client.addPasskey(passkey.registration(for: creation), for: creation)
    let again = try await client.startPasskey()
    let refused = await error { () async throws(AuthError) in
      try await client.addPasskey(passkey.registration(for: again), for: again)
    }
    #expect(refused == .conflict)
  }

  @Test("a passkey of a person who proved nothing for a while waits for a proof")
  func proof() async throws {
    let client = try await scene.stage.signedIn()
    scene.stage.clock.advance(by: .seconds(400))
    #expect(await error { () async throws(AuthError) in try await client.startPasskey() } == .reauthenticationRequired)
  }

  @Test("a policy without passkeys has none")
  func none() async throws {
    let stage = ClientStage()
    let client = try await stage.signedIn()
    #expect(await error { () async throws(AuthError) in try await client.startPasskey() } == .notFound)
    #expect(await error { () async throws(AuthError) in try await client.startPasskeySignIn() } == .notFound)
  }

  @Test("a tenant without a host of its own has no passkeys")
  func unavailable() async throws {
    let client = try await scene.stage.signedIn()
    scene.server.settings.hasPasskeyHost = false
    #expect(await error { () async throws(AuthError) in try await client.startPasskey() } == .passkeysUnavailable)
    #expect(await error { () async throws(AuthError) in try await client.startPasskeySignIn() } == .passkeysUnavailable)
  }

  @Test("a policy that takes no synced passkeys says so in its words")
  func synced() async throws {
    let scene = PasskeyStage { $0.policy.passkeys?.synced = false }
    let client = try await scene.stage.signedIn()
    let creation = try await client.startPasskey()
    let made = FakePasskey(for: creation).registration(for: creation)
    let refused = await failure { () async throws(AuthError) in try await client.addPasskey(made, for: creation) }
    #expect(refused?.violations.map(\.rule) == ["passkeys.synced"])
  }

  @Test("a list says which passkeys are synced, and each is named and removed")
  func managed() async throws {
    let client = try await scene.signedIn(try scene.registered())
    let factor = try #require(try await client.factors().items.first)
    #expect(factor.isSynced == true && factor.lastUsedAt != nil)
    #expect(try await client.renameFactor(factor.id, to: "Key").name == "Key")
    try await client.removeFactor(factor.id)
    let rest = try await client.factors()
    #expect(rest.items == [] && rest.recoveryCodesLeft == 0 && !rest.isRequired)
  }

  @Test("an answer that was lost is not asked for again")
  func lost() async throws {
    let client = try await scene.stage.signedIn()
    let creation = try await client.startPasskey()
    let made = FakePasskey(for: creation).registration(for: creation)
    scene.server.fail(next: .dropAnswer, at: "/v1/passkeys/register/complete")
    #expect(await error { () async throws(AuthError) in try await client.addPasskey(made, for: creation) } == .network)
    #expect(scene.server.count(of: "POST /v1/passkeys/register/complete") == 1)
  }

  @Test("options and answers show nothing of themselves")
  func secrets() async throws {
    let client = try await scene.stage.signedIn()
    let creation = try await client.startPasskey()
    let request = try await client.startPasskeySignIn()
    let passkey = FakePasskey(for: creation)
    let (made, used) = (passkey.registration(for: creation), passkey.assertion(for: request))
    var shown = "\(creation) \(request) \(made) \(used)"
    dump([creation as Any, request, made, used], to: &shown)
    #expect(!shown.contains("gh_fl_") && !shown.contains("bytes") && !shown.contains(PasskeyStage.email))
  }
}
