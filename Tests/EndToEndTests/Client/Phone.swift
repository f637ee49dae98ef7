import Foundation
import GatehouseClient
import GatehouseServerTesting
import GatehouseTesting

/// A device of a person: one client with a store of its own, on the server's clock.
struct Phone {
  let client: AuthClient
  let store: any SecureStore

  init(
    _ apps: ThreeApps, _ app: App, store: any SecureStore = MemoryStore(),
    transport: any HTTPTransport = SystemTransport(), skew: Double = 0, air: Air? = nil,
    languages: [String] = ["en"], name: String? = "phone"
  ) throws {
    self.store = store
    guard let url = URL(string: apps.server.url) else { throw NoAddress() }
    client = AuthClient(
      AuthConfiguration(
        server: url, tenant: app.rawValue, store: store, transport: transport,
        clock: ServerTime(clock: apps.server.clock, skew: skew, air: air), deviceName: name, languages: languages,
        cacheFolder: nil))
  }

  private struct NoAddress: Error {}
}

/// The server's clock as a device has it, wrong by `skew` seconds. A sleeper moves the clock instead of waiting.
struct ServerTime: AuthClock {
  private static let start = Date(timeIntervalSince1970: 1_700_000_000)
  let clock: TestClock
  var skew = 0.0
  /// Where there is one, sleepers wait until it is clear.
  var air: Air?

  var now: Date { clock.now.addingTimeInterval(skew) }
  var uptime: Duration { .seconds(clock.now.timeIntervalSince(Self.start)) }

  func sleep(for duration: Duration) async throws {
    try Task.checkCancellation()
    await Task.yield()
    await air?.clear()
    clock.advance(seconds: Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18)
  }
}

extension App {
  /// A profile that its policy takes, as the client has it.
  func clientProfile(_ name: String = "Pat") -> Profile {
    switch self {
    case .messai: ["displayName": .string(name)]
    case .ride: ["name": .string(name), "phoneNumber": "785-555-0123"]
    case .vibes: ["username": .string(name)]
    }
  }
}
