import Foundation
import GatehouseAdminWire
import GatehouseClient
import GatehouseClientTesting
import GatehouseIdentity
import GatehouseOutbound
import GatehousePolicy
import GatehousePolicyFile
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// Passkeys of the server in memory behave as those of the server do.
@Suite("Passkeys of the server in memory, held to the real one")
struct PasskeyContractTests {
  private static let section =
    "\nmfa: {factors: [totp, passkey]}\npasskeys: {use: [sign_in, second_factor]}\n"
  private static let life =
    "\nmfa: {factors: [totp, passkey]}\n"
    + "passkeys: {use: [sign_in, second_factor, sign_up], upgrade: {from: 2020-01-01}}\n"
  private static let host = "auth.messai.example"

  private func real() async throws -> [String] {
    var lines: [String] = []
    try await ThreeApps.run(policy: { $0 == .messai ? $1 + Self.section : $1 }) { apps async throws in
      try await own(apps)
      lines = try await PasskeyStory(
        device: { try Phone(apps, .messai).client },
        make: { try StoryPasskey(genuine: $0) },
        wait: { apps.server.clock.advance(seconds: $0) }
      ).told()
    }
    return lines
  }

  /// Gives the tenant a host of its own, which its passkeys are for.
  private func own(_ apps: ThreeApps) async throws {
    _ = try await AddHost.run(.init(tenant: App.messai.rawValue, host: Self.host), apps.asOperator)
    try await apps.reload()
    _ = try await VerifyHost.run(
      .init(tenant: App.messai.rawValue, host: Self.host), apps.asOperator, by: Probe(server: apps.server),
      records: SystemTextRecords())
    try await apps.reload()
  }

  private struct Probe: HostProbe {
    let server: TestServer

    func answer(of host: HostName) async throws -> [UInt8] {
      Array(try NamedClient(server: server, host: host.description).get(TenantHost.proofPath).body.utf8)
    }
  }

  private func fake() async throws -> [String] {
    let clock = ManualClock(skipping: .seconds(60))
    var policy = FakePolicy.standard
    policy.factors = [.totp, .passkey]
    policy.signsInWithPasskeys = true
    let server = FakeServer(policy: policy, clock: clock)
    return try await PasskeyStory(
      device: { AuthClient(server.configuration()) },
      make: { StoryPasskey(fake: $0) },
      wait: { clock.advance(by: .seconds($0)) }
    ).told()
  }

  private func realLife() async throws -> [String] {
    var lines: [String] = []
    try await ThreeApps.run(policy: { $0 == .messai ? $1 + Self.life : $1 }) { apps async throws in
      try await own(apps)
      lines = try await PasskeyLifeStory(
        device: { try Phone(apps, .messai).client }, make: { try StoryPasskey(genuine: $0) }
      ).told()
    }
    return lines
  }

  private func fakeLife() async throws -> [String] {
    let file = try PolicyFile.read(TestLists.policy(App.messai.rawValue), name: App.messai.rawValue).get()
    var policy = try FakePolicy(bundle: Data(file.policy.bundle))
    policy.factors = [.totp, .passkey]
    (policy.signsInWithPasskeys, policy.signsUpWithPasskeys) = (true, true)
    policy.offersPasskeys = true
    let server = FakeServer(policy: policy, clock: ManualClock(skipping: .seconds(60)))
    return try await PasskeyLifeStory(
      device: { AuthClient(server.configuration()) }, make: { StoryPasskey(fake: $0) }
    ).told()
  }

  @Test("offers, a sign-up with a passkey and its end have the same outcomes at both")
  func sameLife() async throws {
    let (real, fake) = (try await realLife(), try await fakeLife())
    #expect(real.count == 15 && fake.count == real.count)
    for (real, fake) in zip(real, fake) { #expect(fake == real) }
  }

  @Test("a person's life with a passkey has the same outcomes at both")
  func same() async throws {
    let (real, fake) = (try await real(), try await fake())
    #expect(real.count > 20 && fake.count == real.count)
    for (real, fake) in zip(real, fake) { #expect(fake == real) }
  }
}

extension StoryPasskey {
  /// An authenticator that signs. Its passkeys are not synced.
  fileprivate init(genuine creation: PasskeyCreation) throws {
    let passkey = try TestPasskey(rpID: creation.relyingParty, userHandle: Array(creation.userID))
    let origin = "http://\(creation.relyingParty)"
    registration = { options in
      let answer = try passkey.registration(Array(options.challenge), { $0.origin = origin })
      return GatehouseClient.PasskeyRegistration(
        credentialID: Data(answer.id), clientDataJSON: Data(answer.clientDataJSON),
        attestationObject: Data(answer.attestationObject))
    }
    assertion = { options in
      let answer = try passkey.assertion(Array(options.challenge)) { $0.origin = origin }
      return GatehouseClient.PasskeyAssertion(
        credentialID: Data(answer.id), clientDataJSON: Data(answer.clientDataJSON),
        authenticatorData: Data(answer.authenticatorData), signature: Data(answer.signature),
        userHandle: answer.userHandle.map { Data($0) })
    }
  }

  fileprivate init(fake creation: PasskeyCreation) {
    var passkey = FakePasskey(for: creation)
    passkey.isSynced = false
    let made = passkey
    registration = { made.registration(for: $0) }
    assertion = { made.assertion(for: $0) }
  }
}
