import Foundation
import GatehouseClient
import GatehouseClientTesting
import GatehousePolicy
import GatehousePolicyFile
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// The bundle of a policy file judges in memory as the file does at the server.
@Suite("The server in memory with a policy, held to the real one with the same")
struct PolicyContractTests {
  private static let days = ["2026-12-01", "2027-10-01"]

  private static func day(_ text: String) -> Date { (try? Date("\(text)T00:00:00Z", strategy: .iso8601)) ?? .now }

  private func real(_ app: App, _ start: Date, _ edit: (String) -> String = { $0 }) async throws -> [String] {
    var lines: [String] = []
    try await ThreeApps.run(at: start, policy: { $0 == app ? edit($1) : $1 }) { apps async throws in
      let story = PolicyStory(
        app: app, device: { try Phone(apps, app).client }, wait: { apps.server.clock.advance(seconds: $0) })
      lines = try await story.told()
    }
    return lines
  }

  private func fake(_ app: App, _ start: Date, _ edit: (String) -> String = { $0 }) async throws -> [String] {
    let file = try PolicyFile.read(edit(TestLists.policy(app.rawValue)), name: app.rawValue).get()
    let clock = ManualClock(start, skipping: .seconds(60))
    let server = FakeServer(policy: try FakePolicy(bundle: Data(file.policy.bundle)), clock: clock)
    return try await PolicyStory(
      app: app, device: { AuthClient(server.configuration()) }, wait: { clock.advance(by: .seconds($0)) }
    ).told()
  }

  private func expectSame(_ real: [String], _ fake: [String]) {
    #expect(real.count > 25 && fake.count == real.count)
    for (real, fake) in zip(real, fake) { #expect(fake == real) }
  }

  @Test("sign-ups, profiles, passwords and addresses have the same outcomes", arguments: App.allCases, days)
  func same(app: App, day: String) async throws {
    let start = Self.day(day)
    expectSame(try await real(app, start), try await fake(app, start))
  }

  /// The sign-up of vibes asks for the name; without that, it is a step of its own, before the link.
  @Test("the steps of vibes come in the file's order: the name, then the link")
  func order() async throws {
    func edit(_ text: String) -> String {
      String(text.prefix(upTo: text.range(of: "\nusers:")?.lowerBound ?? text.endIndex))
        .replacing("      required: true\n", with: "") + "\n"
    }
    let start = Self.day(Self.days[0])
    let (real, fake) = (try await real(.vibes, start, edit), try await fake(.vibes, start, edit))
    expectSame(real, fake)
    #expect(fake.contains { $0.contains("[\"profile:username: ") && $0.contains(", \"link:spotify: ") })
  }
}
