import Foundation
import GatehouseClient
import GatehouseClientTesting
import GatehouseOutbound
import GatehouseServerTesting
import Testing

/// What developers of apps test with behaves as the server does.
@Suite("The server in memory, held to the real one")
struct FakeServerContractTests {
  private func real() async throws -> [String] {
    var lines: [String] = []
    try await ThreeApps.run { apps async throws in
      let story = ClientStory(
        device: { try Phone(apps, .messai).client },
        code: { address in try #require(try await apps.server.latestMail(to: address)?.code) },
        wait: { apps.server.clock.advance(seconds: $0) },
        pages: { try await FormClient(apps, .messai).comeBack(from: $0, as: $1, $2) })
      lines = try await story.told()
    }
    return lines
  }

  private func fake() async throws -> [String] {
    let clock = ManualClock(skipping: .seconds(60))
    let server = FakeServer(clock: clock)
    return try await ClientStory(
      device: { AuthClient(server.configuration()) },
      code: { address in try #require(server.code(for: address)) },
      wait: { clock.advance(by: .seconds($0)) },
      pages: { page, email, _ in server.hostedReturn(from: page, as: email) }
    ).told()
  }

  @Test("a person's life has the same outcomes at both")
  func same() async throws {
    let (real, fake) = (try await real(), try await fake())
    #expect(real.count > 40)
    for (real, fake) in zip(real, fake) { #expect(fake == real) }
  }
}
