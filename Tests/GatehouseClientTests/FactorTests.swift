import Foundation
import GatehouseClientTesting
import Testing

@testable import GatehouseClient

@Suite("Second factors of an account")
struct FactorTests {
  private let scene = FactorStage()

  @Test("an authenticator app is added by its first code, and the session goes on under another id")
  func added() async throws {
    let (client, enrolment) = try await scene.enrolling()
    let before = await client.sessionID
    let added = try await client.confirmTOTP(enrolment, code: try scene.code(enrolment))
    #expect(added.factor.name == "Phone" && added.factor.kind == .totp && added.recoveryCodes.count == 10)
    #expect(await client.sessionID != before && client.hasSession)
    #expect(try await client.reload().user != nil)
    _ = try await client.accessToken(forcingRefresh: true)
    #expect(scene.server.sessionCount(of: FactorStage.email) == 1)
    #expect(await scene.stage.restarted().hasSession)
  }

  @Test("address, seed and QR code are of the app that is added")
  func enrolment() async throws {
    let (_, enrolment) = try await scene.enrolling()
    #expect(enrolment.uri.scheme == "otpauth" && enrolment.uri.absoluteString.contains("secret=\(enrolment.secret)&"))
    #expect(enrolment.qrSVG.hasPrefix("<svg") && enrolment.expires == scene.stage.clock.now.addingTimeInterval(600))
  }

  @Test("neither a seed nor a recovery code is in what is shown of an enrolment, a factor and a proof")
  func secrets() async throws {
    let (client, enrolment) = try await scene.enrolling()
    let added = try await client.confirmTOTP(enrolment, code: try scene.code(enrolment))
    let code = try #require(added.recoveryCodes.first)
    var shown = "\(enrolment) \(added) \(Reauthentication.recoveryCode(code)) \(Reauthentication.totp("492039"))"
    dump([enrolment as Any, added, Reauthentication.recoveryCode(code)], to: &shown)
    let log = scene.stage.log.all.map { "\($0)" }.joined()
    for secret in [enrolment.secret, enrolment.id, code, "492039"] {
      #expect(!shown.contains(secret) && !log.contains(secret))
    }
  }

  @Test("a wrong first code leaves the enrolment as it is")
  func wrongCode() async throws {
    let (client, enrolment) = try await scene.enrolling()
    let wrong = await failure { () async throws(AuthError) in try await client.confirmTOTP(enrolment, code: "abcdef") }
    #expect(wrong?.code == .codeInvalid)
    #expect(try await client.confirmTOTP(enrolment, code: try scene.code(enrolment)).recoveryCodes.count == 10)
  }

  @Test("a second app comes with no recovery codes, and the session stays under its id")
  func second() async throws {
    let (client, enrolment) = try await scene.enrolling()
    _ = try await client.confirmTOTP(enrolment, code: try scene.code(enrolment))
    let before = await client.sessionID
    let other = try await client.startTOTP()
    #expect(try await client.confirmTOTP(other, code: try scene.code(other)).recoveryCodes.isEmpty)
    #expect(await client.sessionID == before)
    #expect(try await client.factors().items.count == 2)
  }

  @Test("a policy without second factors lets no user add one")
  func none() async throws {
    let stage = ClientStage()
    let client = try await stage.signedIn()
    #expect(await failure { () async throws(AuthError) in try await client.startTOTP() }?.code == .notFound)
    #expect(try await client.policy().factors.isEmpty)
    let other = try await scene.stage.signedIn().policy()
    #expect(other.factors == [.totp])
  }

  @Test("factors are listed, named and removed, and one that is gone is no error")
  func managed() async throws {
    let client = try await scene.enrolled().signedIn()
    let factors = try await client.factors()
    #expect(!factors.isRequired && factors.due == nil)
    let factor = try #require(factors.items.first)
    #expect(factor.name == nil && factor.lastUsedAt != nil)
    #expect(try await client.renameFactor(factor.id, to: "Phone").name == "Phone")
    #expect(try await client.renameFactor(factor.id, to: nil).name == nil)
    try await client.removeFactor(factor.id)
    try await client.removeFactor(factor.id)
    let left = try await client.factors()
    #expect(left.items.isEmpty && left.recoveryCodesLeft == 0)
  }

  @Test("new recovery codes void those before")
  func newCodes() async throws {
    let client = try await scene.enrolled().signedIn()
    let before = scene.server.recoveryCodes(of: FactorStage.email)
    let codes = try await client.makeRecoveryCodes()
    #expect(codes.count == 10 && Set(codes).isDisjoint(with: before))
    #expect(try await client.factors().recoveryCodesLeft == 10)
  }

  @Test("what changes factors demands a proof by a second factor, once the one of the sign-in is old")
  func proof() async throws {
    let client = try await scene.enrolled().signedIn()
    scene.stage.clock.advance(by: .seconds(400))
    let refused = await failure { () async throws(AuthError) in try await client.makeRecoveryCodes() }
    #expect(refused?.code == .reauthenticationRequired && refused?.methods == [.totp, .recoveryCode])
    try await client.reauthenticate(.password(ClientStage.password))
    let still = await failure { () async throws(AuthError) in try await client.startTOTP() }
    #expect(still?.code == .reauthenticationRequired)
    try await client.reauthenticate(.totp(try scene.digits()))
    #expect(try await client.makeRecoveryCodes().count == 10)
  }

  @Test("a recovery code is a proof for a change of the address")
  func recoveryProof() async throws {
    let client = try await scene.enrolled().signedIn()
    scene.stage.clock.advance(by: .seconds(400))
    let code = try #require(scene.server.recoveryCodes(of: FactorStage.email).first)
    #expect(try await client.changeEmail(to: "ada@new.example", proof: .recoveryCode(code)) > .zero)
  }

  @Test("steps of a policy about second factors have kinds and screens")
  func steps() async throws {
    let client = try await scene.stage.signedIn()
    scene.server.require("enroll_mfa", of: FactorStage.email)
    let state = try await client.reload()
    #expect(state.screen == .enrollMFA && AuthStep.verifyMFA.kind == .verifyMFA)
    let enrolment = try await client.startTOTP()
    _ = try await client.confirmTOTP(enrolment, code: try scene.code(enrolment))
    #expect(client.state.screen == .app)
  }
}
