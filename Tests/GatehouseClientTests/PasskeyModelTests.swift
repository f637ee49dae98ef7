import Foundation
import GatehouseClientTesting
import GatehousePolicy
import Testing

@testable import GatehouseClient

@Suite("C21 Models of passkeys")
@MainActor
struct PasskeyModelTests {
  private let scene = PasskeyStage()

  /// The form of a sign-in on a device with the passkey of an account.
  private func form() async throws -> (form: SignInModel, manager: FakePasskeyManager) {
    let (client, manager) = scene.device([try scene.registered()])
    let form = SignInModel(client)
    await form.load()
    return (form, manager)
  }

  // MARK: Sign-in

  @Test("the button is there where the policy and the device have passkeys")
  func button() async throws {
    #expect(try await form().form.takesPasskeys)
    let without = SignInModel(scene.stage.client())
    await without.load()
    #expect(!without.takesPasskeys)
    scene.server.policy.signsInWithPasskeys = false
    let other = SignInModel(scene.device().client)
    await other.load()
    #expect(!other.takesPasskeys)
  }

  @Test("a tap signs in, and the passkey manager is told what the account has")
  func signedIn() async throws {
    let (form, manager) = try await form()
    #expect(await form.submitWithPasskey())
    #expect(form.client.hasSession && form.message == nil)
    await until { manager.reports.count == 1 }
  }

  @Test("a question that was closed says nothing, and leaves what was typed")
  func closed() async throws {
    let (form, manager) = try await form()
    (form.email, manager.closesQuestions) = ("ada", true)
    #expect(await form.submitWithPasskey() == false)
    #expect(form.message == nil && form.error == nil && form.email == "ada" && !form.hasFormerPasskeys)
  }

  @Test("a question that fails says so in the person's language")
  func failed() async throws {
    _ = try scene.registered()
    var configuration = scene.stage.configuration()
    let manager = FakePasskeyManager()
    manager.failsQuestions = true
    (configuration.passkeys, configuration.languages) = (manager, ["de"])
    let form = SignInModel(AuthClient(configuration))
    #expect(await form.submitWithPasskey() == false)
    #expect(form.message == Sentences.text(.unknown, languages: ["de"]))
    #expect(form.message != Sentences.text(.unknown, languages: ["en"]))
  }

  @Test("a passkey that the server does not know is refused with a sentence")
  func unknown() async throws {
    let (form, manager) = try await form()
    manager.passkeys = [FakePasskey(userHandle: manager.passkeys[0].userHandle)]
    #expect(await form.submitWithPasskey() == false)
    #expect(form.error?.code == .passkeyInvalid && form.message != nil)
  }

  @Test("a passkey that did not verify its user leads to the second step")
  func secondStep() async throws {
    let scene = PasskeyStage { $0.policy.passkeys?.verification = .preferred }
    var passkey = try scene.registered()
    passkey.verifiesUser = false
    let form = SignInModel(scene.device([passkey]).client)
    #expect(await form.submitWithPasskey() == false)
    let step = try #require(form.secondStep)
    #expect(form.error == nil && step.offeredFactors == [.recoveryCode])
    step.factorCode = try #require(scene.server.recoveryCodes(of: PasskeyStage.email).first)
    #expect(await step.submit())
    #expect(form.secondStep == nil && form.client.hasSession)
  }

  @Test("passkeys of the domain before are offered where none of today's was used")
  func former() async throws {
    scene.server.policy.keepPasskeys(of: "old.example.com", until: "2099-01-01")
    scene.server.addAccount(email: PasskeyStage.email, password: ClientStage.password)
    let passkey = try #require(scene.server.addPasskey(to: PasskeyStage.email, relyingParty: "old.example.com"))
    let form = SignInModel(scene.device([passkey]).client)
    #expect(await form.submitWithPasskey() == false)
    #expect(form.hasFormerPasskeys && form.error == nil)
    #expect(await form.submitWithPasskey(former: true))
  }

  // MARK: Beside the input

  @Test("a passkey that is chosen beside the input signs in")
  func offered() async throws {
    let (form, manager) = try await form()
    manager.offersBesideInputs = true
    let offer = Task { await form.offerPasskeys() }
    await until { manager.isOffering }
    manager.choose()
    await offer.value
    #expect(form.client.hasSession && manager.questions == 0)
  }

  @Test("an offer is renewed before its options end, and ends with its task")
  func renewed() async throws {
    let (form, manager) = try await form()
    manager.offersBesideInputs = true
    let offer = Task { await form.offerPasskeys() }
    await until { manager.isOffering && scene.stage.clock.sleeping > 0 }
    scene.stage.clock.advance(by: .seconds(241))
    await until { scene.server.count(of: "POST /v1/passkeys/sign-in/start") == 2 }
    await until { manager.isOffering }
    offer.cancel()
    await offer.value
    #expect(!manager.isOffering && !form.client.hasSession && form.message == nil)
  }

  @Test("a tap on the button ends the offer before the system asks")
  func oneQuestion() async throws {
    let (form, manager) = try await form()
    manager.offersBesideInputs = true
    let offer = Task { await form.offerPasskeys() }
    await until { manager.isOffering }
    #expect(await form.submitWithPasskey())
    await offer.value
    #expect(!manager.isOffering && manager.questions == 1)
  }

  @Test("a system that offers nothing beside inputs asks the server nothing")
  func notOffered() async throws {
    let (form, _) = try await form()
    await form.offerPasskeys()
    #expect(scene.server.count(of: "POST /v1/passkeys/sign-in/start") == 0)
  }

  // MARK: Second step and proofs

  /// The second step of a sign-in with the password.
  private func step() async throws -> (form: SignInModel, step: SecondStepModel, manager: FakePasskeyManager) {
    let (form, manager) = try await form()
    (form.email, form.password) = (PasskeyStage.email, ClientStage.password)
    #expect(await form.submit() == false)
    return (form, try #require(form.secondStep), manager)
  }

  @Test("a second step takes the passkey without a code, and is gone from the form then")
  func passkeyStep() async throws {
    let (form, step, _) = try await step()
    #expect(step.askedFactor == .passkey && step.offeredFactors == [.passkey, .recoveryCode])
    #expect(await step.submit())
    #expect(form.secondStep == nil && form.client.hasSession)
  }

  @Test("after a wrong code the passkey answers the options of the next try")
  func afterWrongCode() async throws {
    let (form, step, manager) = try await step()
    manager.closesQuestions = true
    #expect(await step.submit() == false)
    #expect(step.message == nil && form.secondStep != nil)
    step.ask(for: .recoveryCode)
    step.factorCode = "none"
    #expect(await step.submit() == false)
    manager.closesQuestions = false
    step.ask(for: .passkey)
    #expect(await step.submit())
  }

  @Test("a device without passkeys is asked for a code")
  func noPasskeys() async throws {
    _ = try scene.registered()
    let form = SignInModel(scene.stage.client())
    (form.email, form.password) = (PasskeyStage.email, ClientStage.password)
    #expect(await form.submit() == false)
    #expect(form.secondStep?.askedFactor == .recoveryCode)
  }

  /// A client on a device with a passkey, whose proof is old.
  private func old() async throws -> (client: AuthClient, manager: FakePasskeyManager) {
    let (form, manager) = try await form()
    #expect(await form.submitWithPasskey())
    await form.client.settle()
    await until { manager.reports.count == 1 }
    scene.stage.clock.advance(by: .seconds(400))
    return (form.client, manager)
  }

  @Test("a session whose policy asks once more takes the factors that the account has")
  func sessionStep() async throws {
    let client = try await old().client
    scene.server.require("verify_mfa", of: PasskeyStage.email)
    #expect(try await client.reload().screen == .verifyMFA)
    let step = SecondStepModel(client)
    await step.load()
    #expect(step.offeredFactors == [.passkey, .recoveryCode])
    #expect(await step.submit())
    #expect(client.state.screen == .app)
  }

  @Test("a change waits for a fresh proof, which the passkey gives")
  func proof() async throws {
    let (client, manager) = try await old()
    let model = FactorsModel(client)
    #expect(await model.makeRecoveryCodes() == false)
    #expect(model.waiting == .makeRecoveryCodes && model.askedFactor == .passkey && !model.offersOtherProof)
    manager.closesQuestions = true
    #expect(await model.prove() == false)
    #expect(model.waiting == .makeRecoveryCodes && model.message == nil)
    manager.closesQuestions = false
    #expect(await model.prove())
    #expect(model.recoveryCodes.count == 10 && model.waiting == nil)
  }

  @Test("where the password is as good, the form offers it in the place of the passkey")
  func otherProof() async throws {
    let scene = PasskeyStage { $0.factors = [.totp] }
    _ = try scene.registered()
    let (client, _) = scene.device()
    _ = try await client.signIn(email: PasskeyStage.email, password: ClientStage.password)
    scene.stage.clock.advance(by: .seconds(400))
    let model = FactorsModel(client)
    #expect(await model.add() == false)
    #expect(model.askedFactor == .passkey && model.offersOtherProof)
    model.useOtherProof()
    #expect(model.askedFactor == nil && !model.asksForCode)
    model.password = ClientStage.password
    #expect(await model.prove())
    #expect(model.enrolment != nil)
  }

  @Test("an account is deleted by a proof of its passkey")
  func deleted() async throws {
    let client = try await old().client
    let model = DeleteAccountModel(client)
    #expect(await model.submit() == false)
    #expect(model.askedFactor == .passkey)
    #expect(await model.submit())
    #expect(client.state == .signedOut(.deleted))
  }

  // MARK: Factors

  @Test("a passkey is added by one tap, and its recovery codes are shown")
  func added() async throws {
    let (client, manager) = scene.device()
    scene.server.addAccount(email: PasskeyStage.email, password: ClientStage.password)
    _ = try await client.signIn(email: PasskeyStage.email, password: ClientStage.password)
    let model = FactorsModel(client)
    #expect(await model.load())
    #expect(model.canAddPasskey && model.canAddApp)
    model.name = "Phone"
    #expect(await model.addPasskey())
    #expect(model.factors?.items.map(\.name) == ["Phone"] && model.recoveryCodes.count == 10 && model.name.isEmpty)
    #expect(manager.reports.last?.credentialIDs == manager.passkeys.map(\.credentialID))
  }

  @Test("a question that was closed adds nothing, and nothing waits for it")
  func notAdded() async throws {
    let (client, manager) = try await old()
    let model = FactorsModel(client)
    #expect(await model.addPasskey() == false)
    #expect(model.waiting == .addPasskey)
    let asked = manager.questions
    model.ask(for: .recoveryCode)
    model.factorCode = try #require(scene.server.recoveryCodes(of: PasskeyStage.email).first)
    manager.closesQuestions = true
    #expect(await model.prove() == false)
    #expect(model.waiting == nil && model.message == nil && manager.questions == asked + 1)
    #expect(scene.server.count(of: "POST /v1/passkeys/register/complete") == 0)
  }

  @Test("where passkeys only sign in, they alone may be added")
  func passkeysAlone() async throws {
    let scene = PasskeyStage { $0.factors = [] }
    let client = scene.device().client
    let policy = try await client.policy()
    #expect(policy.admitsPasskeys && policy.factors.isEmpty)
    let model = FactorsModel(client)
    #expect(model.canAddPasskey && !model.canAddApp)
  }

  @Test("a passkey that was removed is reported away")
  func removed() async throws {
    let (client, manager) = try await old()
    let model = FactorsModel(client)
    #expect(await model.load())
    let factor = try #require(model.factors?.items.first)
    #expect(await model.remove(factor, isLost: true) == false)
    #expect(model.waiting == .remove(factor, isLost: true))
    #expect(await model.prove())
    #expect(manager.reports.last?.credentialIDs.isEmpty == true && model.factors?.items.isEmpty == true)
  }
}
