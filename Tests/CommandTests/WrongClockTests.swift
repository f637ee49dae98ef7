import Foundation
import GatehouseAssembly
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import gatehouse

@Suite("A machine whose clock is not the database's")
struct WrongClockTests {
  /// A database whose clock is so many seconds ahead of this machine's.
  private static func database(ahead seconds: Int) async throws -> TestDatabase {
    let database = try await TestDatabase.make()
    try await database.runAsSuperuser(
      script: """
        SET allow_system_table_mods = on;
        ALTER FUNCTION pg_catalog.clock_timestamp() RENAME TO machine_timestamp;
        CREATE FUNCTION pg_catalog.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS
          $$ SELECT pg_catalog.machine_timestamp() + interval '\(seconds) seconds' $$
        """)
    return database
  }

  private static func run(
    ahead seconds: Int, _ body: (_ directory: URL, _ environment: [String: String]) async throws -> Void
  ) async throws {
    let database = try await database(ahead: seconds)
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    try await body(
      directory,
      try Binary.environment(database, in: directory))
    try await database.drop()
  }

  @Test("serve does not start more than 60 s off: it ends with 6 and says what to do")
  func start() async throws {
    try await Self.run(ahead: 90) { directory, environment in
      let refused = try await RunningBinary(
        ["serve", "--dev", "--listen", "127.0.0.1:0", "--ops-listen", "127.0.0.1:0"], in: directory,
        environment: environment
      ).refusal()
      #expect(
        refused.exit == 6 && refused.text.contains("this machine's clock is 90 s behind the database's"), "\(refused)")
      #expect(refused.text.contains("follow NTP"))
    }
  }

  @Test("the doctor names a difference of more than 5 s, and none of less", arguments: [(20, true), (0, false)])
  func doctor(_ seconds: Int, _ isNamed: Bool) async throws {
    try await Self.run(ahead: seconds) { directory, environment in
      let outcome = try Binary.run(["doctor", "--dev"], in: directory, environment: environment)
      #expect(outcome.output.contains("s behind the database's") == isNamed, "\(outcome)")
    }
  }

  @Test("each state has one line of the log")
  func log() {
    let lines = LockBox<[String]>([])
    let log = Log(level: .info, form: .json) { line in lines.withLock { $0.append(line) } }
    for seconds in [0.0, 20, 100] { log.write(.clocksChanged(ClockOffset(seconds: seconds, uncertainty: 0))) }
    let text = lines.withLock { $0 }
    #expect(text.count == 3)
    for (line, words) in zip(text, ["clock.agrees", "clock.differs", "clock.too_far"]) { #expect(line.contains(words)) }
  }
}
