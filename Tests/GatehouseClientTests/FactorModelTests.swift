import Foundation
import GatehouseClientTesting
import Testing

@testable import GatehouseClient

@Suite("C21 Models of second factors")
@MainActor
struct FactorModelTests {
  private let scene = FactorStage()

  /// The form of a sign-in that asks for the second step.
  private func asking() async throws -> (form: SignInModel, step: SecondStepModel) {
    let form = SignInModel(scene.enrolled().stage.client())
    (form.email, form.password) = (FactorStage.email, ClientStage.password)
    #expect(await form.submit() == false)
    return (form, try #require(form.secondStep))
  }

  @Test("a sign-in that asks for a second step shows no error, and its form asks for the app's digits")
  func secondStep() async throws {
    let (form, step) = try await asking()
    #expect(form.message == nil && form.error == nil && form.password == ClientStage.password)
    #expect(step.askedFactor == .totp && step.offeredFactors == [.totp, .recoveryCode])
    #expect(step.rememberFor == FactorStage.month)
    step.factorCode = try scene.digits()
    #expect(await step.submit())
    #expect(form.client.hasSession && step.factorCode.isEmpty)
  }

  @Test("an empty code asks no server, and a wrong one may be followed by another")
  func wrongCode() async throws {
    let (_, step) = try await asking()
    #expect(await step.submit() == false)
    #expect(step.fieldErrors["code"] == "Please fill this in." && scene.server.count(of: "POST /v1/mfa/verify") == 0)
    step.factorCode = "abcdef"
    #expect(await step.submit() == false)
    #expect(step.error?.code == .codeInvalid && step.message != nil)
    step.factorCode = try scene.digits()
    #expect(await step.submit())
  }

  @Test("a person without the app changes to a recovery code and back")
  func recoveryCode() async throws {
    let (form, step) = try await asking()
    step.factorCode = "123"
    step.ask(for: .recoveryCode)
    #expect(step.askedFactor == .recoveryCode && step.factorCode.isEmpty)
    step.ask(for: FactorKind(rawValue: "passkey"))
    #expect(step.askedFactor == .recoveryCode)
    step.factorCode = try #require(scene.server.recoveryCodes(of: FactorStage.email).first)
    #expect(await step.submit())
    #expect(form.client.hasSession)
  }

  @Test("a switch remembers the device")
  func remembers() async throws {
    let (form, step) = try await asking()
    step.remembersDevice = true
    step.factorCode = try scene.digits()
    #expect(await step.submit())
    await form.client.signOut()
    #expect(await form.submit())
    #expect(form.secondStep == nil)
  }

  @Test("a challenge that is over leads back to the form of the sign-in, with its sentence")
  func over() async throws {
    let (form, step) = try await asking()
    scene.stage.clock.advance(by: .seconds(300))
    step.factorCode = try scene.digits()
    #expect(await step.submit() == false)
    #expect(form.secondStep == nil && form.error?.code == .codeExpired && form.message != nil)
    #expect(await form.submit() == false)
    #expect(form.secondStep != nil && form.message == nil)
  }

  @Test("back leads to the form with everything that was typed")
  func back() async throws {
    let (form, _) = try await asking()
    form.back()
    #expect(form.secondStep == nil && form.email == FactorStage.email)
  }

  @Test("factors of which this version knows none leave the server's sentence, and nothing is done")
  func unknown() async {
    let client = scene.stage.client()
    let challenge = MFAChallenge(
      id: "x", factors: [FactorKind(rawValue: "voice")], expires: .now, rememberFor: nil, passkey: nil)
    let refusal = AuthError(.mfaRequired, message: "Use another device.", challenge: challenge)
    let step = SecondStepModel(client, challenge, refusal) { _ in }
    step.factorCode = "123456"
    #expect(await step.submit() == false)
    #expect(step.askedFactor == nil && step.message == "Use another device.")
  }

  @Test("a step of the policy proves the session of now")
  func stepOfPolicy() async throws {
    let client = try await scene.enrolled().signedIn()
    scene.server.require("verify_mfa", of: FactorStage.email)
    #expect(try await client.reload().screen == .verifyMFA)
    let step = SecondStepModel(client)
    step.factorCode = try scene.digits()
    #expect(await step.submit())
    #expect(client.state.screen == .app && step.rememberFor == nil)
  }

  @Test("an app is added, its recovery codes are shown until the person kept them, and the list has it")
  func add() async throws {
    let model = FactorsModel(try await scene.stage.signedIn())
    #expect(await model.load())
    #expect(model.factors?.items.isEmpty == true && !model.isShortOfCodes)
    model.name = "Phone"
    #expect(await model.add())
    let enrolment = try #require(model.enrolment)
    #expect(model.secretText.replacing(" ", with: "") == enrolment.secret && model.secretText.contains(" "))
    model.code = "abcdef"
    #expect(await model.confirm() == false)
    #expect(model.enrolment == enrolment && model.error?.code == .codeInvalid)
    model.code = try scene.code(enrolment)
    #expect(await model.confirm())
    #expect(model.enrolment == nil && model.recoveryCodes.count == 10 && model.factors?.items.first?.name == "Phone")
    #expect(model.recoveryText.split(separator: "\n").count == 10)
    model.keptRecoveryCodes()
    #expect(model.recoveryCodes.isEmpty && model.name.isEmpty && model.code.isEmpty)
  }

  @Test("an enrolment whose time is over is gone, with its sentence")
  func lateEnrolment() async throws {
    let model = FactorsModel(try await scene.stage.signedIn())
    #expect(await model.add())
    let code = try scene.code(try #require(model.enrolment))
    scene.stage.clock.advance(by: .seconds(600))
    model.code = code
    #expect(await model.confirm() == false)
    #expect(model.enrolment == nil && model.error?.code == .codeExpired)
  }

  @Test("what needs a fresh proof waits for it, and goes on with it")
  func proof() async throws {
    let model = FactorsModel(try await scene.enrolled().signedIn())
    scene.stage.clock.advance(by: .seconds(400))
    #expect(await model.makeRecoveryCodes() == false)
    #expect(model.waiting == .makeRecoveryCodes && model.askedFactor == .totp)
    model.factorCode = "abcdef"
    #expect(await model.prove() == false)
    #expect(model.waiting == .makeRecoveryCodes && model.recoveryCodes.isEmpty)
    model.factorCode = try scene.digits()
    #expect(await model.prove())
    #expect(model.waiting == nil && model.recoveryCodes.count == 10 && model.factorCode.isEmpty)
  }

  @Test("a first app waits for the password, and nothing waits after a cancel")
  func passwordProof() async throws {
    let model = FactorsModel(try await scene.stage.signedIn())
    scene.stage.clock.advance(by: .seconds(400))
    #expect(await model.add() == false)
    #expect(model.waiting == .add && model.askedFactor == nil && !model.asksForCode)
    model.cancel()
    #expect(model.waiting == nil)
    #expect(await model.add() == false)
    model.password = ClientStage.password
    #expect(await model.prove())
    #expect(model.enrolment != nil && model.password.isEmpty)
  }

  @Test("a factor is named and removed")
  func remove() async throws {
    let model = FactorsModel(try await scene.enrolled().signedIn())
    #expect(await model.load())
    let factor = try #require(model.factors?.items.first)
    #expect(await model.rename(factor, to: "Phone"))
    #expect(model.factors?.items.first?.name == "Phone")
    #expect(await model.remove(factor))
    #expect(model.factors?.items.isEmpty == true)
  }

  @Test("few recovery codes are told")
  func fewCodes() async throws {
    let client = try await scene.enrolled().signedIn()
    for code in scene.server.recoveryCodes(of: FactorStage.email).prefix(7) {
      try await client.reauthenticate(.recoveryCode(code))
    }
    let model = FactorsModel(client)
    #expect(await model.load())
    #expect(model.isShortOfCodes && model.factors?.recoveryCodesLeft == 3)
  }

  @Test("a password is changed with a code of the app, which is given once")
  func changePassword() async throws {
    let client = try await scene.enrolled().signedIn()
    scene.stage.clock.advance(by: .seconds(400))
    let model = ChangePasswordModel(client)
    (model.current, model.password, model.confirmation) = (ClientStage.password, "short", "short")
    #expect(await model.submit() == false)
    #expect(model.askedFactor == .totp)
    model.factorCode = try scene.digits()
    #expect(await model.submit() == false)
    #expect(model.error?.code == .validationFailed && model.askedFactor == nil)
    (model.password, model.confirmation) = ("long enough", "long enough")
    #expect(await model.submit())
    #expect(model.isDone)
  }

  @Test("an account is deleted with a code of the app in the place of the password")
  func delete() async throws {
    let client = try await scene.enrolled().signedIn()
    scene.stage.clock.advance(by: .seconds(400))
    let model = DeleteAccountModel(client)
    model.password = ClientStage.password
    #expect(await model.submit() == false)
    #expect(model.askedFactor == .totp)
    model.factorCode = try scene.digits()
    #expect(await model.submit())
    #expect(client.state == .signedOut(.deleted))
  }
}
