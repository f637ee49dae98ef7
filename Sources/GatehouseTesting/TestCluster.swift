import Foundation
package import GatehousePostgres
package import GatehouseRuntime

/// One throw-away PostgreSQL cluster per test process, started when the first test asks for it and removed at exit.
///
/// `fsync` is off: no test crashes the machine, and a crash of PostgreSQL itself loses nothing that was written. Where
/// there is memory for it, its files are there: a database for each test is thousands of files, made and gone in a second.
package enum TestCluster {
  /// Two loops that every test may share; they end with the process.
  package static let loops: LoopGroup = {
    let group = LoopGroup(count: 2)
    group.start()
    return group
  }()

  private static let cluster = Once<Embedded>()
  private static let prefix = "gatehouse-test-"

  /// The running cluster.
  package static func shared() async throws -> Embedded {
    try await cluster.value {
      sweep()
      let running = try await Embedded.start(
        configuration("\(isInMemory ? memory : disk)/\(prefix)\(getpid())-\(UInt32.random(in: 0 ... .max))"))
      removedAtExit.set(running)
      atexit { TestCluster.removedAtExit.take()?.destroy() }
      return running
    }
  }

  /// Settings of a cluster that nobody will miss.
  package static func configuration(_ dataDirectory: String) -> EmbeddedConfiguration {
    var configuration = EmbeddedConfiguration(
      dataDirectory: dataDirectory, binaries: ProcessInfo.processInfo.environment["GATEHOUSE_PG_BIN"])
    configuration.isDurable = false
    // Suites run side by side, each with lanes of its own.
    configuration.maxConnections = 400
    return configuration
  }

  private static let memory = "/dev/shm"
  private static let disk = "/tmp"

  /// Whether the files are in memory: where a gigabyte of it is free, twice what the log may grow to.
  package static let isInMemory: Bool = {
    var space = statvfs()
    guard statvfs(memory, &space) == 0, access(memory, W_OK) == 0 else { return false }
    return space.f_bavail * space.f_frsize >= 1 << 30
  }()

  /// Removes what killed test runs left behind; a cluster whose owner lives is locked and stays.
  private static func sweep() {
    for home in [memory, disk] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: home)) ?? []
      for name in names where name.hasPrefix(prefix) {
        _ = try? Embedded.removeAbandoned(configuration("\(home)/\(name)"))
      }
    }
  }

  private static let removedAtExit = Slot<Embedded>()
}

/// Makes a value once, however many ask at the same time; a failure is tried again by the next one.
package actor Once<Value: Sendable> {
  private enum State { case empty, making([CheckedContinuation<Void, Never>]), made(Value) }
  private var state = State.empty

  package init() {}

  /// The value, made by `make` if there is none yet.
  package func value(_ make: @Sendable () async throws -> Value) async throws -> Value {
    while true {
      switch state {
      case .made(let value): return value
      case .making:
        await withCheckedContinuation { waiter in
          guard case .making(let others) = state else { return waiter.resume() }
          state = .making(others + [waiter])
        }
      case .empty:
        state = .making([])
        do {
          let value = try await make()
          settle(.made(value))
          return value
        } catch {
          settle(.empty)
          throw error
        }
      }
    }
  }

  private func settle(_ new: State) {
    if case .making(let waiters) = state { for waiter in waiters { waiter.resume() } }
    state = new
  }
}

/// A place for one value that may be taken out once.
private final class Slot<Value: Sendable>: @unchecked Sendable {
  // SAFETY: the lock guards `value`.
  private let lock = NSLock()
  private var value: Value?

  func set(_ new: Value) { lock.withLock { value = new } }
  func take() -> Value? {
    lock.withLock {
      defer { value = nil }
      return value
    }
  }
}
