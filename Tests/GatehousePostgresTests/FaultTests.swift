import Foundation
import GatehousePostgres
import GatehouseRuntime
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite struct FaultTests {
  /// Ends every other session of the database, as often as asked.
  private func terminateAll(_ place: TestDatabase) async throws {
    try await place.runAsSuperuser(
      script: """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()
        """)
  }

  private func awaitActivity(_ place: TestDatabase, _ database: Database, _ text: String) async throws {
    // Only the superuser sees other sessions' statements; asked until it is there, with a limit of the server's clock.
    try await place.runAsSuperuser(
      script: """
        DO $wait$ BEGIN
          FOR attempt IN 1..2000 LOOP
            PERFORM pg_stat_clear_snapshot();
            EXIT WHEN EXISTS (SELECT FROM pg_stat_activity WHERE query LIKE '%\(text)%' AND state = 'active'
                              AND pid <> pg_backend_pid() AND datname = current_database());
            PERFORM pg_sleep(0.005);
          END LOOP;
        END $wait$
        """)
  }

  @Test("a write whose backend is ended in the middle has an unknown outcome, and the lanes recover")
  func terminatedWrite() async throws {
    try await withDatabase { place, database async throws in
      async let outcome = failure {
        try await database.write(
          nil, ["UPDATE counter SET value = 1 WHERE id = 1", "SELECT pg_sleep(60) /* endless */"])
      }
      try await awaitActivity(place, database, "endless")
      try await terminateAll(place)
      #expect(await outcome?.isUnknownOutcome == true)
      #expect(try await database.read(nil, "SELECT value FROM counter WHERE id = 1")[0][0] == 0)
      #expect(try await database.write(nil, "UPDATE counter SET value = 2 WHERE id = 1").affected == 1)
      #expect(database.statistics.unknown == 1)
      #expect(database.statistics.lost >= 1)
    }
  }

  @Test("a read whose backend is ended is made good once, and prepared statements come back")
  func terminatedRead() async throws {
    try await withDatabase({ $0.connections = 2 }) { place, database async throws in
      async let slow = database.read(nil, "SELECT pg_sleep(1) /* slowread */, 7")
      try await awaitActivity(place, database, "slowread")
      try await terminateAll(place)
      #expect(try await slow[0][1] == 7)
    }
  }

  @Test("a write that is overdue behind others is told as unknown, and a connection that answers is kept")
  func overdue() async throws {
    try await withDatabase({
      $0.connections = 1
      $0.writeDeadline = .milliseconds(1500)
    }) { _, database async throws in
      // Ten pipelined ones on a few connections: the later ones wait longer than the deadline.
      let outcomes = await withTaskGroup(of: DatabaseError?.self) { group in
        for _ in 0..<10 { group.addTask { await failure { try await database.write(nil, "SELECT pg_sleep(0.8)") } } }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(outcomes.contains { $0 == nil } && outcomes.contains { $0?.isUnknownOutcome == true })
      #expect(database.statistics.lost == 0)
    }
  }

  @Test("under a storm of terminated backends no acknowledged write is missing and no refused one is there")
  func storm() async throws {
    try await withDatabase({ $0.patience = .seconds(10) }) { place, database async throws in
      let tenant = UUID()
      let isOver = Flag()
      try await withThrowingTaskGroup(of: [(Int, DatabaseError?)].self) { group in
        group.addTask {
          defer { isOver.raise() }
          for _ in 0..<15 {
            try await terminateAll(place)
            _ = try? await database.read(nil, "SELECT 1")
          }
          return []
        }
        for writer in 0..<20 {
          group.addTask {
            var outcomes: [(Int, DatabaseError?)] = []
            // On after the storm until one is acknowledged: connections that it took are noticed by their next use.
            var left = 50
            while left > 0 {
              let isCalm = isOver.isRaised
              let index = writer * 1_000_000 + outcomes.count
              let error = await failure {
                try await database.write(
                  tenant,
                  ["INSERT INTO note VALUES (\(tenant), \(index), \("\(index)"))", "SELECT pg_sleep(0.002)"])
              }
              outcomes.append((index, error))
              if isCalm { left = error == nil ? 0 : left - 1 }
            }
            return outcomes
          }
        }
        var acknowledged: Set<Int> = []
        var refused: Set<Int> = []
        for try await outcomes in group {
          for (index, error) in outcomes {
            switch error {
            case nil: acknowledged.insert(index)
            case .unknownOutcome?: break
            default: refused.insert(index)
            }
          }
        }
        let stored = Set(try await database.read(tenant, "SELECT id FROM note").map { try $0[0] as Int })
        #expect(acknowledged.isSubset(of: stored))
        #expect(refused.isDisjoint(with: stored))
        #expect(acknowledged.count >= 20)
      }
    }
  }

  @Test("without a server every call is unavailable, soon")
  func noServer() async throws {
    var configuration = DatabaseConfiguration(conninfo: "host=/nonexistent user=x dbname=x")
    configuration.patience = .milliseconds(100)
    let database = Database(loops: TestCluster.loops.loops, configuration: configuration)
    await #expect(throws: DatabaseError.self) { try await database.start(timeout: .milliseconds(100)) }
    #expect(await failure { try await database.write(nil, "SELECT 1") }?.isUnavailable == true)
    #expect(database.connectFailure != nil)
    await database.stop()
    #expect(await failure { try await database.read(nil, "SELECT 1") }?.isUnavailable == true)
  }

  @Test("a transaction commits, sees its tenant only, and rolls back on any error")
  func transactions() async throws {
    struct Own: Error {}
    try await withDatabase { _, database async throws in
      let tenant = UUID()
      let id: Int = try await database.transaction(tenant) { transaction in
        _ = try await transaction.query("INSERT INTO note VALUES (\(tenant), 5, 'five')")
        return try await transaction.query("SELECT id FROM note")[0][0]
      }
      #expect(id == 5)
      await #expect(throws: Own.self) {
        try await database.transaction(tenant) { transaction in
          _ = try await transaction.query("DELETE FROM note")
          throw Own()
        }
      }
      #expect(try await database.read(tenant, "SELECT count(*) FROM note")[0][0] == 1)
      // The connection is clean again: no tenant, no transaction.
      let seen = try await database.transaction(nil) { try await $0.query("SELECT * FROM note").count }
      #expect(seen == 0)
    }
  }

  @Test("an error that the body swallows still fails the transaction")
  func swallowed() async throws {
    try await withDatabase { _, database async throws in
      let error = await failure {
        try await database.transaction(nil) { transaction in
          _ = try await transaction.query("UPDATE counter SET value = 5 WHERE id = 1")
          _ = try? await transaction.query("SELECT 1 / (\(0)::int)")
        }
      }
      #expect(error?.sqlState == "22012")
      let held = try await database.read(nil, "SELECT value FROM counter WHERE id = 1")[0][0] == 0
      #expect(held)
    }
  }

  @Test("serialization failures run the body again until every increment is there")
  func serializable() async throws {
    try await withDatabase { _, database async throws in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<6 {
          group.addTask {
            try await database.transaction(nil, isolation: .serializable) { transaction in
              let value: Int = try await transaction.query("SELECT value FROM counter WHERE id = 1")[0][0]
              _ = try await transaction.query("UPDATE counter SET value = \(value + 1) WHERE id = 1")
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(try await database.read(nil, "SELECT value FROM counter WHERE id = 1")[0][0] == 6)
    }
  }

  @Test("a transaction whose connection is ended has changed nothing and says unavailable")
  func terminatedTransaction() async throws {
    try await withDatabase { place, database async throws in
      let connections = database.statistics.connected
      let error = await failure {
        try await database.transaction(nil) { transaction in
          _ = try await transaction.query("UPDATE counter SET value = 7 WHERE id = 1")
          try await terminateAll(place)
          // Until every connection was lost and is there again: the second statement must not slip onto the new one,
          // where no transaction is open.
          while database.statistics.lost < connections || database.statistics.connected < connections {
            _ = try? await database.read(nil, "SELECT 1")
          }
          _ = try await transaction.query("UPDATE counter SET value = 8 WHERE id = 2")
        }
      }
      #expect(error?.isUnavailable == true)
      #expect(try await database.read(nil, "SELECT sum(value)::bigint FROM counter")[0][0] == 0)
      let count = try await database.transaction(nil) { try await $0.query("SELECT 1").count }
      #expect(count == 1)
    }
  }

  @Test("NOTIFY arrives, and after a loss an empty payload says that something may have been missed")
  func listening() async throws {
    try await withDatabase { place, database async throws in
      var payloads = database.listen("policy \"x\"").makeAsyncIterator()
      #expect(await payloads.next() == "")
      _ = try await database.write(nil, "SELECT pg_notify('policy \"x\"', \("first"))")
      #expect(await payloads.next() == "first")
      try await terminateAll(place)
      #expect(await payloads.next() == "")
      _ = try await database.write(nil, "SELECT pg_notify('policy \"x\"', \("second"))")
      #expect(await payloads.next() == "second")
      await database.stop()
      #expect(await payloads.next() == nil)
    }
  }

  @Test("a notification of a batch that failed is never sent")
  func noNotificationOfFailure() async throws {
    try await withDatabase { _, database async throws in
      var payloads = database.listen("c").makeAsyncIterator()
      #expect(await payloads.next() == "")
      _ = try? await database.write(nil, ["SELECT pg_notify('c', 'no')", "SELECT 1 / (\(0)::int)"])
      _ = try await database.write(nil, "SELECT pg_notify('c', 'yes')")
      #expect(await payloads.next() == "yes")
    }
  }
}
