import GatehouseAssembly
import GatehousePostgres
import GatehousePrimitives
import GatehouseRuntime
import GatehouseServerTesting
import Testing

@Suite("What a server knows of its database")
struct DatabaseStandingTests {
  /// Seconds that a test moves.
  private let time = LockBox(UInt64(1000))
  private let database: Database
  private let standing: DatabaseStanding

  init() {
    database = Database(
      loops: TestCluster.loops.loops, configuration: DatabaseConfiguration(conninfo: "host=/nonexistent dbname=x"))
    standing = DatabaseStanding(database, jobs: database) { [time] in time.withLock { $0 } * 1_000_000_000 }
  }

  private func pass(_ seconds: UInt64) { time.withLock { $0 += seconds } }

  @Test("a server that compared nothing for thirty seconds while the database answers is not up to date")
  func quiet() {
    standing.note(trouble: nil)
    pass(29)
    #expect(standing.notFollowed == nil)
    pass(1)
    #expect(standing.notFollowed == "tenants, policies and keys were not compared with the database for 30 s")
    standing.noteLook()
    #expect(standing.notFollowed == nil)
  }

  @Test("while the database is away there is nothing newer to be had")
  func away() {
    standing.note(trouble: nil)
    standing.note(trouble: "database unavailable")
    pass(3600)
    #expect(standing.notFollowed == nil)
    #expect(standing.secondsSinceLook == 3600)
  }

  @Test("once it is back a look has as long as ever")
  func back() {
    standing.note(trouble: "database unavailable")
    pass(3600)
    standing.note(trouble: nil)
    pass(29)
    standing.note(trouble: nil)
    #expect(standing.notFollowed == nil)
    pass(1)
    #expect(standing.notFollowed != nil)
  }

  @Test("its words and its figure say whether it answers")
  func words() async {
    var said = [standing.answer]
    standing.note(trouble: nil)
    said.append(standing.answer)
    #expect(standing.isAnswering)
    await database.stop()
    await standing.ask()
    said.append(standing.answer)
    #expect(!standing.isAnswering)
    #expect(said == ["not asked yet", "answers", "does not answer: database unavailable"])
  }

  @Test("the age of the newest dump grows with the time, also while the database is away")
  func backup() async throws {
    let place = try await TestDatabase.make()
    let database = try await place.connect()
    let standing = DatabaseStanding(database, jobs: database) { [time] in time.withLock { $0 } * 1_000_000_000 }
    await standing.askForBackup()
    #expect(standing.backupAge == nil)
    try await place.runAsSuperuser(
      script: """
        INSERT INTO gatehouse.backup VALUES (now() - interval '3 days', 1), (clock_timestamp() - interval '1 hour', 1)
        """)
    await standing.askForBackup()
    let age = try #require(standing.backupAge)
    #expect((3600..<7200).contains(age))
    await database.stop()
    pass(1000)
    await standing.askForBackup()
    #expect(standing.backupAge == age + 1000)
    try await place.drop()
  }
}
