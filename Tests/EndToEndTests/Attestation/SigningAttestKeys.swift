import Foundation
import GatehouseClient
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting

/// The keys of a device for the Swift client: they sign as a device does, and a root of the tests attests them.
final class SigningAttestKeys: AttestKeys {
  private struct Content: Sendable {
    var devices: [String: TestDevice] = [:]
    var counters: [String: UInt32] = [:]
  }

  private let app: String
  private let root: TestAttestationRoot
  private let clock: TestClock
  private let content = LockBox(Content())

  init(_ apps: AttestedApps, app: String = AttestedApps.app) {
    self.app = app
    root = apps.root
    clock = apps.server.clock
  }

  var isSupported: Bool { true }

  /// The names of the keys that were made and not lost.
  var names: [String] { content.withLock { Array($0.devices.keys) } }

  /// Loses every key, as a device that is restored does.
  func restoreDevice() { content.withLock { $0 = Content() } }

  func makeKey() async throws(AttestKeyError) -> String {
    guard let device = try? TestDevice(app: app) else { throw .failed }
    let name = Data(device.keyID).base64EncodedString()
    content.withLock { $0.devices[name] = device }
    return name
  }

  func attest(_ key: String, over clientDataHash: Data) async throws(AttestKeyError) -> Data {
    guard let device = content.withLock({ $0.devices[key] }) else { throw .keyInvalid }
    guard let bytes = try? device.attestation(over: Array(clientDataHash), by: root, now: clock.now) else {
      throw .failed
    }
    return Data(bytes)
  }

  func assertion(by key: String, over clientDataHash: Data) async throws(AttestKeyError) -> Data {
    let next = content.withLock { content -> (TestDevice, UInt32)? in
      guard let device = content.devices[key] else { return nil }
      content.counters[key, default: 0] += 1
      return (device, content.counters[key, default: 0])
    }
    guard let (device, counter) = next else { throw .keyInvalid }
    guard let bytes = try? device.assertion(over: Array(clientDataHash), counter: counter) else { throw .failed }
    return Data(bytes)
  }
}
