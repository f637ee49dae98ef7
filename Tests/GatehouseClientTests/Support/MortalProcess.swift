import Foundation
import GatehouseClientTesting

@testable import GatehouseClient

/// A process of the app that is killed at one of its dealings with store and network. From then on it does nothing:
/// neither store nor network see it, and its sleeps end.
final class MortalProcess: Sendable {
  private let left: Locked<Int>
  private let steps = Locked(0)

  /// Dies at the dealing of this number.
  init(dyingAt step: Int) { left = Locked(step) }

  /// How many dealings there were.
  var count: Int { steps.withLock { $0 } }
  var isDead: Bool { left.withLock { $0 <= 0 } }

  /// Runs the body with a process that dies at its first dealing, at its second, and so on until one lives through it.
  /// Returns the number of that run.
  static func dyingAtEach(_ body: (MortalProcess, _ step: Int) async throws -> Void) async throws -> Int {
    var step = 1
    while true {
      let process = MortalProcess(dyingAt: step)
      try await body(process, step)
      if !process.isDead { return step }
      step += 1
    }
  }

  /// One dealing more. Returns whether the process still lives.
  @discardableResult
  func step() -> Bool {
    steps.withLock { $0 += 1 }
    return left.withLock { left in
      left -= 1
      return left > 0
    }
  }

  /// The configuration, as this process has it.
  func configuration(_ base: AuthConfiguration) -> AuthConfiguration {
    var configuration = base
    configuration.store = Store(process: self, base: base.store)
    configuration.transport = Transport(process: self, base: base.transport)
    configuration.clock = Clock(process: self, base: base.clock)
    return configuration
  }

  private struct Store: SecureStore {
    let process: MortalProcess
    let base: any SecureStore

    func read(_ key: String) throws(StoreError) -> Data? {
      guard !process.isDead else { throw .unavailable }
      return try base.read(key)
    }

    func update(_ key: String, _ change: @Sendable (Data?) -> Data?) throws(StoreError) -> Data? {
      guard process.step() else { throw .unavailable }
      let data = try base.update(key, change)
      guard process.step() else { throw .unavailable }
      return data
    }
  }

  private struct Transport: HTTPTransport {
    let process: MortalProcess
    let base: any HTTPTransport

    func send(_ call: HTTPCall, deadline: Duration) async throws -> HTTPAnswer {
      guard process.step() else { throw CancellationError() }
      let answer = try await base.send(call, deadline: deadline)
      guard process.step() else { throw CancellationError() }
      return answer
    }
  }

  private struct Clock: AuthClock {
    let process: MortalProcess
    let base: any AuthClock
    var now: Date { base.now }
    var uptime: Duration { base.uptime }

    func sleep(for duration: Duration) async throws {
      guard !process.isDead else { throw CancellationError() }
      try await base.sleep(for: duration)
    }
  }
}
