import GatehousePostgres
import GatehouseRuntime
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// How Linux schedules PostgreSQL's processes. `script/test` runs it with no other shard beside it.
@Suite("Which processes of PostgreSQL go first")
struct LanePrecedenceTests {
  @Test(
    "of a PostgreSQL that is ours, what reads goes first where it may, until it is busy; nothing else does",
    arguments: [true, false])
  func precedence(isOurs: Bool) async throws {
    try await withDatabase({ $0.isOurs = isOurs }) { place, database async throws in
      // What waits for so long is judged to be calm, however much it had to do before. Loops take turns.
      let calm: SQL = "SELECT pg_backend_pid() FROM pg_sleep(0.3)"
      let loops = TestCluster.loops.loops.count
      for _ in 0..<loops {
        let reader: Int32 = try await database.read(nil, calm)[0][0]
        #expect(RealTime.goesFirst(reader) == (isOurs && RealTime.isAllowedForCluster))
      }
      for _ in 0..<loops {
        let writer: Int32 = try await database.write(nil, calm)[0][0]
        #expect(!RealTime.goesFirst(writer))
      }
      let reader: Int32 = try await database.read(nil, calm)[0][0]
      guard RealTime.goesFirst(reader) else { return }
      for _ in 1..<loops { _ = try await database.read(nil, calm) }
      async let outcome = failure {
        try await database.read(nil, "SELECT count(*) FROM generate_series(1, 1000000000)")
      }
      let isOrdinary = try await eventually { !RealTime.goesFirst(reader) }
      #expect(isOrdinary)
      try await place.runAsSuperuser(script: "SELECT pg_cancel_backend(\(reader))")
      #expect(await outcome != nil)
    }
  }

  @Test("however many processes read for a loop, one of them goes first")
  func onlyOneFirst() async throws {
    let loops = TestCluster.loops.loops.count
    func ours(_ configuration: inout DatabaseConfiguration) {
      configuration.isOurs = true
      configuration.connections = 16 * loops
    }
    try await withDatabase(ours) { _, database async throws in
      // Asked at the same moment until every lane has answered: the second one of a loop opens when the first is busy.
      var readers: Set<Int32> = []
      let end = ContinuousClock.now + .seconds(30)
      while readers.count < 2 * loops, ContinuousClock.now < end {
        try await withThrowingTaskGroup(of: Int32.self) { group in
          for _ in 0..<(4 * loops) {
            group.addTask { try await database.read(nil, "SELECT pg_backend_pid() FROM pg_sleep(0.2)")[0][0] }
          }
          for try await reader in group { readers.insert(reader) }
        }
      }
      #expect(readers.count == 2 * loops)
      #expect(readers.filter { RealTime.goesFirst($0) }.count == (RealTime.isAllowedForCluster ? loops : 0))
    }
  }
}
