import Foundation
import GatehouseServerTesting
import Testing

/// No session ends by mistake. `script/prove client` walks ten thousand steps.
@Suite("The Swift client in bad weather")
struct ClientChaosTests {
  private static let steps = ProcessInfo.processInfo.environment["GATEHOUSE_CLIENT_STEPS"].flatMap { Int($0) } ?? 250

  private func walk(_ seed: UInt64, _ body: (ChaosWalk) async throws -> Void) async throws {
    try await ThreeApps.run { apps async throws in
      var walk = try await ChaosWalk(apps, seed: seed)
      try await walk.run(Self.steps)
      try await body(walk)
    }
  }

  @Test(
    "C06 C07 a random walk through every weather ends no session that was not ended", arguments: [1, 2, 3] as [UInt64])
  func chaos(seed: UInt64) async throws {
    try await walk(seed) { walk async throws in #expect(walk.troubles == []) }
  }

  @Test("C06 the walk meets every weather")
  func weathers() async throws {
    try await walk(4) { walk async throws in #expect(walk.weathers.count == ChaosTransport.Weather.allCases.count) }
  }
}
