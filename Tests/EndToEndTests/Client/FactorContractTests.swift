import Foundation
import GatehouseClient
import GatehouseClientTesting
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// Second factors of the server in memory behave as those of the server do.
@Suite("Second factors of the server in memory, held to the real one")
struct FactorContractTests {
  private static let section = "\nmfa: {factors: [totp], remember_device: 30d}\n"

  private func real() async throws -> [String] {
    var lines: [String] = []
    try await ThreeApps.run(policy: { $0 == .messai ? $1 + Self.section : $1 }) { apps async throws in
      let clock = apps.server.clock
      lines = try await FactorStory(
        device: { try Phone(apps, .messai).client },
        digits: { secret in
          let seed = try #require(Base32.decode(secret))
          return TOTP.code(seed: Secret(seed), step: TOTP.step(at: clock.now))
        },
        wait: { clock.advance(seconds: $0) }
      ).told()
    }
    return lines
  }

  private func fake() async throws -> [String] {
    let clock = ManualClock(skipping: .seconds(60))
    var policy = FakePolicy.standard
    policy.factors = [.totp]
    policy.rememberDevice = .seconds(30 * 86_400)
    let server = FakeServer(policy: policy, clock: clock)
    return try await FactorStory(
      device: { AuthClient(server.configuration()) },
      digits: { try #require(server.totpCode(secret: $0)) },
      wait: { clock.advance(by: .seconds($0)) }
    ).told()
  }

  @Test("a person's life with second factors has the same outcomes at both")
  func same() async throws {
    let (real, fake) = (try await real(), try await fake())
    #expect(real.count > 25 && fake.count == real.count)
    for (real, fake) in zip(real, fake) { #expect(fake == real) }
  }
}
