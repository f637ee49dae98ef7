import Foundation
import GatehouseClientTesting
import Testing

@testable import GatehouseClient

/// A root view has one form for every person who uses the app.
@Suite("C21 A form of second factors that outlives its person")
@MainActor
struct FactorOwnerTests {
  private static let path = "/v1/me/factors/totp/confirm"

  /// A form that waits for the first code, which is typed.
  private func adding(_ scene: FactorStage, _ client: AuthClient) async throws -> FactorsModel {
    let model = FactorsModel(client)
    #expect(await model.add())
    model.code = try scene.code(try #require(model.enrolment))
    return model
  }

  @Test("recovery codes, a list and a typed password are gone when the person has left")
  func left() async throws {
    let scene = FactorStage()
    let client = try await scene.stage.signedIn()
    let model = try await adding(scene, client)
    #expect(await model.confirm())
    #expect(model.recoveryCodes.count == 10 && model.factors != nil)
    model.password = ClientStage.password
    await client.signOut()
    await until { model.recoveryCodes.isEmpty }
    #expect(model.factors == nil && model.password.isEmpty)
  }

  @Test("an app that waits for its first code is gone when the person has left")
  func enrolment() async throws {
    let scene = FactorStage()
    let client = try await scene.stage.signedIn()
    let model = try await adding(scene, client)
    await client.signOut()
    #expect(await model.confirm() == false)
    #expect(model.enrolment == nil && model.secretText.isEmpty && scene.server.count(of: "POST \(Self.path)") == 0)
  }

  @Test("recovery codes that come when the person has left are not shown")
  func late() async throws {
    let scene = FactorStage(skipping: .zero)
    let client = try await scene.stage.signedIn()
    let model = try await adding(scene, client)
    scene.server.fail(next: .slowAnswer(.seconds(5)), at: Self.path)
    let confirming = Task { await model.confirm() }
    await until { scene.server.count(of: "POST \(Self.path)") == 1 && scene.stage.clock.sleeping > 0 }
    await client.signOut()
    scene.stage.clock.advance(by: .seconds(5))
    _ = await confirming.value
    #expect(model.recoveryCodes.isEmpty)
  }

  @Test("recovery codes that were not kept yet are there when a locked session opens")
  func locked() async throws {
    let scene = FactorStage()
    let gate = ManualGate()
    var configuration = scene.stage.configuration()
    configuration.unlock = .biometrics(reason: "For your rides", after: .seconds(60), gate: gate)
    scene.server.addAccount(email: FactorStage.email, password: ClientStage.password)
    let client = AuthClient(configuration)
    _ = try await client.signIn(email: FactorStage.email, password: ClientStage.password)
    let model = try await adding(scene, client)
    #expect(await model.confirm())
    await client.background()
    scene.stage.clock.advance(by: .seconds(60))
    await client.foreground()
    #expect(client.state == .locked)
    let unlocking = Task { try await client.unlock() }
    await until { gate.isAsking }
    gate.open()
    _ = try await unlocking.value
    #expect(model.recoveryCodes.count == 10)
  }
}
