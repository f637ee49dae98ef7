import Foundation
import GatehouseClientTesting
import Testing

@testable import GatehouseClient

@Suite("The life of a passkey")
@MainActor
struct PasskeyLifeTests {
  private let scene = PasskeyStage {
    $0.offersPasskeys = true
    $0.signsUpWithPasskeys = true
  }

  /// A device on which the person signed in with the password.
  private func device() async throws -> (client: AuthClient, manager: FakePasskeyManager) {
    scene.server.addAccount(email: PasskeyStage.email, password: ClientStage.password)
    let device = scene.device()
    _ = try await device.client.signIn(email: PasskeyStage.email, password: ClientStage.password)
    await device.client.settle()
    return device
  }

  private func count(of route: String) -> Int { scene.server.count(of: "POST /v1/passkeys/\(route)") }

  // MARK: Offers

  @Test("a person with a password and no passkey is offered one, until there is one")
  func offered() async throws {
    let client = try await device().client
    #expect(client.offers == [.addPasskey])
    let creation = try await client.startPasskey()
    _ = try await client.addPasskey(FakePasskey(for: creation).registration(for: creation), for: creation)
    #expect(client.offers.isEmpty)
  }

  @Test("an offer outlives a restart, and a policy that offers none takes it back")
  func restarted() async throws {
    _ = try await device()
    let client = await scene.stage.restarted()
    #expect(client.offers == [.addPasskey])
    scene.server.policy.offersPasskeys = false
    _ = try await client.reload()
    #expect(client.offers.isEmpty)
  }

  @Test("a word of a later server is no offer")
  func later() {
    #expect(AuthOffer.list(["sing_a_song", "add_passkey"]) == [.addPasskey] && AuthOffer.list(nil).isEmpty)
  }

  @Test("a session that is locked tells no offer, and one that opens does")
  func locked() async throws {
    _ = try await device()
    let gate = ManualGate()
    var configuration = scene.stage.configuration()
    configuration.unlock = .biometrics(gate: gate)
    let client = AuthClient(configuration)
    #expect(await client.restored() == .locked)
    #expect(client.offers.isEmpty)
    let opening = Task { try await client.unlock() }
    await until { gate.isAsking }
    gate.open()
    _ = try await opening.value
    #expect(client.offers == [.addPasskey])
  }

  @Test("the model of the session follows the offers")
  func model() async throws {
    let client = try await device().client
    let model = SessionModel(client)
    #expect(model.offers == [.addPasskey])
    scene.server.policy.offersPasskeys = false
    _ = try await client.reload()
    await until { model.offers.isEmpty }
  }

  // MARK: Upgrade

  @Test("after a password a passkey is made without a question, and it signs in")
  func upgraded() async throws {
    let (client, manager) = try await device()
    let added = await client.upgradeToPasskey()
    #expect(added?.factor.kind == .passkey && added?.recoveryCodes.count == 10)
    #expect(manager.questions == 0 && client.offers.isEmpty)
    await client.signOut()
    let request = try await client.startPasskeySignIn()
    #expect(try await client.signIn(with: try await manager.use(request), for: request).user != nil)
  }

  @Test("each sign-in is followed by one try, and a system that does not agree leaves no trace")
  func refused() async throws {
    let (client, manager) = try await device()
    manager.agreesToUpgrades = false
    #expect(await client.upgradeToPasskey() == nil)
    manager.agreesToUpgrades = true
    #expect(await client.upgradeToPasskey() == nil)
    #expect(count(of: "register/start") == 1 && manager.passkeys.isEmpty && client.offers == [.addPasskey])
    _ = try await client.signIn(email: PasskeyStage.email, password: ClientStage.password)
    #expect(await client.upgradeToPasskey() != nil)
  }

  @Test("nothing is asked where nothing is offered, after a restart, and on a device without passkeys")
  func notAsked() async throws {
    let (client, _) = try await device()
    #expect(await scene.stage.restarted().upgradeToPasskey() == nil)
    let restarted = scene.device().client
    #expect(await restarted.restored().user != nil)
    #expect(await restarted.upgradeToPasskey() == nil)
    scene.server.policy.offersPasskeys = false
    _ = try await client.reload()
    #expect(await client.upgradeToPasskey() == nil)
    #expect(count(of: "register/start") == 0)
  }

  @Test("the recovery codes of an upgrade are shown by the model of the factors")
  func codes() async throws {
    let model = FactorsModel(try await device().client)
    #expect(await model.upgrade())
    #expect(model.recoveryCodes.count == 10)
    #expect(await model.upgrade() == false)
    #expect(model.recoveryCodes.count == 10 && model.message == nil)
  }

  // MARK: Signals

  @Test("the passkey manager is told which passkeys the account has, and its name")
  func reported() async throws {
    let passkey = try scene.registered()
    let (client, manager) = scene.device([passkey])
    let request = try await client.startPasskeySignIn()
    _ = try await client.signIn(with: try await manager.use(request), for: request)
    await client.reportPasskeys()
    let report = try #require(manager.reports.first)
    #expect(report.credentialIDs == [passkey.credentialID] && report.userID == passkey.userHandle)
    #expect(report.relyingParty == "auth.example.com" && report.userName == PasskeyStage.email)
  }

  @Test("a tenant without a host has nothing to tell")
  func noSignal() async throws {
    let (client, manager) = try await device()
    scene.server.settings.hasPasskeyHost = false
    await client.reportPasskeys()
    #expect(manager.reports.isEmpty)
  }

  // MARK: Sign-up

  private func creation(_ client: AuthClient) async throws -> (PasskeyRegistration, PasskeyCreation) {
    let creation = try await client.startPasskeySignUp(email: "Bob@example.com")
    return (FakePasskey(for: creation).registration(for: creation), creation)
  }

  @Test("a passkey makes an account without a password, and is its factor")
  func signUp() async throws {
    let client = scene.stage.client()
    let (passkey, creation) = try await creation(client)
    #expect(creation.userName == "bob@example.com")
    let state = try await client.signUp(
      with: passkey, for: creation, email: "Bob@example.com", profile: ["name": "Bob"], name: "Phone")
    #expect(state.user?.email == "bob@example.com" && state.user?.profile["name"] == "Bob")
    #expect(try await client.factors().items.map(\.name) == ["Phone"])
    #expect(scene.server.code(for: "bob@example.com") != nil)
  }

  @Test("a tenant that hides its addresses mails a code first, and the passkey signs in then")
  func hidden() async throws {
    scene.server.policy.hidesAccounts = true
    let (client, manager) = scene.device()
    let creation = try await client.startPasskeySignUp(email: "bob@example.com")
    let passkey = try await manager.make(creation)
    let state = try await client.signUp(with: passkey, for: creation, email: "bob@example.com")
    #expect(state == .awaitingEmail("bob@example.com") && scene.server.accountCount == 0)
    _ = try await client.confirmEmail(code: try #require(scene.server.code(for: "bob@example.com")))
    let request = try await client.startPasskeySignIn()
    #expect(try await client.signIn(with: try await manager.use(request), for: request).user != nil)
  }

  @Test("after a refused address the same passkey is taken with another one, and then no more")
  func corrected() async throws {
    scene.server.addAccount(email: "ada@example.com", password: ClientStage.password)
    let client = scene.stage.client()
    let (passkey, creation) = try await creation(client)
    let refused = await failure { () async throws(AuthError) in
      try await client.signUp(with: passkey, for: creation, email: "ada@example.com")
    }
    #expect(refused?.code == .accountExists)
    #expect(try await client.signUp(with: passkey, for: creation, email: "bob@example.com").user != nil)
    let again = await failure { () async throws(AuthError) in
      try await client.signUp(with: passkey, for: creation, email: "eve@example.com")
    }
    #expect(again?.code == .codeExpired)
  }

  @Test("a policy without sign-up by passkeys has none")
  func notFound() async throws {
    scene.server.policy.signsUpWithPasskeys = false
    let client = scene.stage.client()
    let refused = await failure { () async throws(AuthError) in try await client.startPasskeySignUp() }
    let policy = try await client.policy()
    #expect(refused?.code == .notFound && !policy.signsUpWithPasskeys)
  }

  // MARK: Ends

  @Test("the removal of a lost passkey says so, and one that is there says nothing")
  func lost() async throws {
    let (client, _) = try await device()
    scene.server.addPasskey(to: PasskeyStage.email)
    scene.server.addPasskey(to: PasskeyStage.email)
    let passkeys = try await client.factors().items
    let code = try #require(scene.server.recoveryCodes(of: PasskeyStage.email).first)
    try await client.reauthenticate(.recoveryCode(code))
    try await client.removeFactor(try #require(passkeys.first).id, isLost: true)
    try await client.removeFactor(try #require(passkeys.last).id)
    let removals = scene.server.requests.filter { $0.route.hasPrefix("DELETE /v1/me/factors/") }
    #expect(removals.map(\.members) == [["lost"], []])
  }

  @Test("passkeys of a domain before sign in until their day, by options of their own")
  func former() async throws {
    scene.server.policy.keepPasskeys(of: "old.example.com", until: "2099-01-01")
    scene.server.addAccount(email: PasskeyStage.email, password: ClientStage.password)
    let passkey = try #require(scene.server.addPasskey(to: PasskeyStage.email, relyingParty: "old.example.com"))
    let (client, manager) = scene.device([passkey])
    let request = try await client.startPasskeySignIn()
    let former = try #require(request.former)
    #expect(former.relyingParty == "old.example.com" && former.challenge == request.challenge)
    #expect(try await client.signIn(with: try await manager.use(former), for: request).user != nil)
    scene.server.policy.keepPasskeys(of: "old.example.com", until: "2001-01-01")
    #expect(try await client.startPasskeySignIn().former == nil)
  }
}
