import Foundation
package import GatehousePostgres
package import GatehouseRuntime

/// One throw-away PostgreSQL cluster per test process, started when the first test asks for it and removed at exit.
///
/// `fsync` is off: no test crashes the machine, and a crash of PostgreSQL itself loses nothing that was written. Its
/// files are in memory where there is room: a database for each test is a thousand files, made and gone in a second.
/// `GATEHOUSE_TEST_CLUSTERS` names another directory for them.
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
        configuration("\(home)/\(prefix)\(getpid())-\(UInt32.random(in: 0 ... .max))"))
      removedAtExit.set(running)
      atexit { TestCluster.removedAtExit.take()?.destroy() }
      return running
    }
  }

  /// A cluster of its own, for a test that stops it or makes something else of it, and its directory. The caller
  /// destroys it.
  package static func another() async throws -> (cluster: Embedded, directory: String) {
    let directory = "\(disk)/\(prefix)\(getpid())-\(UInt32.random(in: 0 ... .max))"
    return (try await Embedded.start(configuration(directory)), directory)
  }

  /// Settings of a throw-away cluster.
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

  /// The directory of clusters: the one that is named, or memory where 256 MB are free, or the disk.
  private static let home: String = {
    if let named = ProcessInfo.processInfo.environment["GATEHOUSE_TEST_CLUSTERS"], !named.isEmpty { return named }
    var space = statvfs()
    guard statvfs(memory, &space) == 0, access(memory, W_OK) == 0 else { return disk }
    return space.f_bavail * space.f_frsize >= 256 << 20 ? memory : disk
  }()

  /// Removes what killed test runs left behind. A cluster whose process lives stays, even where it has no lock yet.
  private static func sweep() {
    for home in Set([memory, disk, home]) {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: home)) ?? []
      for name in names where name.hasPrefix(prefix) {
        guard let owner = pid_t(name.dropFirst(prefix.count).prefix { $0 != "-" }), kill(owner, 0) != 0, errno == ESRCH
        else { continue }
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
