import Foundation
import GatehousePostgres
import GatehouseRuntime
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite struct ConnectionTests {
  /// All writes of a loop share very few connections, so neighbours are really neighbours.
  private func narrow(_ configuration: inout DatabaseConfiguration) { configuration.connections = 2 }

  private func count(_ database: Database, _ tenant: UUID) async throws -> Int {
    try await database.read(tenant, "SELECT count(*) FROM note")[0][0]
  }

  @Test("a batch is all or nothing")
  func atomic() async throws {
    try await withDatabase { _, database async throws in
      let tenant = UUID()
      let error = await failure {
        try await database.write(
          tenant,
          [
            "INSERT INTO note VALUES (\(tenant), 1, 'a')", "SELECT 1 / (\(0)::int)",
            "INSERT INTO note VALUES (\(tenant), 2, 'b')",
          ])
      }
      #expect(error?.sqlState == "22012")
      #expect(try await count(database, tenant) == 0)
      let answers = try await database.write(
        tenant,
        [
          "INSERT INTO note VALUES (\(tenant), 1, 'a')", "INSERT INTO note VALUES (\(tenant), 2, 'b') RETURNING id",
          "UPDATE note SET body = body || '!'",
        ])
      #expect(answers.map(\.affected) == [1, 1, 2])
      #expect(try answers[1][0][0] == 2)
      #expect(try await count(database, tenant) == 2)
    }
  }

  @Test("a batch that may be flushed later says so to PostgreSQL, and the next one on its connection does not")
  func flush() async throws {
    try await withDatabase { place, _ async throws in
      // Databases of tests usually flush nothing.
      try await place.runAsSuperuser(script: "ALTER DATABASE \(place.name) SET synchronous_commit = on")
      let database = try await place.connect(narrow)
      let setting: [SQL] = ["SELECT current_setting('synchronous_commit')"]
      for tenant in [nil, UUID()] {
        for (flush, expected) in [(Flush.later, "off"), (.beforeAnswer, "on")] {
          // Loops take turns: so often that each of them has had both.
          for _ in 0..<8 {
            let answer: String = try await database.write(tenant, setting, flushed: flush)[0][0][0]
            #expect(answer == expected)
          }
        }
      }
      await database.stop()
    }
  }

  @Test("statements after an error answer with that error, never with empty rows")
  func abortedIsFailure() async throws {
    try await withDatabase(narrow) { _, database async throws in
      for position in 0..<3 {
        var batch: [SQL] = ["SELECT 1", "SELECT 2", "SELECT 3"]
        batch[position] = "SELECT 1 / (\(0)::int)"
        #expect(await failure { try await database.read(nil, batch) }?.sqlState == "22012")
      }
    }
  }

  @Test("a failure at the commit fails the whole batch")
  func deferredConstraint() async throws {
    try await withDatabase { _, database async throws in
      let tenant = UUID()
      let error = await failure {
        try await database.write(
          tenant,
          ["INSERT INTO note VALUES (\(tenant), 1, 'same')", "INSERT INTO note VALUES (\(tenant), 2, 'same')"])
      }
      #expect(error?.sqlState == "23505")
      #expect(error?.constraint == "note_body_once")
      let held = try await count(database, tenant) == 0
      #expect(held)
    }
  }

  @Test("an error in a shared lane does not touch its neighbours")
  func neighbours() async throws {
    try await withDatabase(narrow) { _, database async throws in
      let tenant = UUID()
      await withTaskGroup(of: Void.self) { group in
        for index in 0..<200 {
          group.addTask {
            if index.isMultiple(of: 3) {
              let error = await failure {
                try await database.write(
                  tenant,
                  ["INSERT INTO note VALUES (\(tenant), \(index), \("\(index)"))", "SELECT 1 / (\(0)::int)"])
              }
              #expect(error?.sqlState == "22012")
            } else {
              let error = await failure {
                try await database.write(
                  tenant, "INSERT INTO note VALUES (\(tenant), \(index), \("\(index)"))")
              }
              #expect(error == nil)
            }
          }
        }
      }
      let ids = try await database.read(tenant, "SELECT id FROM note").map { try $0[0] as Int }
      #expect(Set(ids) == Set((0..<200).filter { !$0.isMultiple(of: 3) }))
    }
  }

  @Test("a statement that can not be prepared fails its own batch only, and with its own reason")
  func badStatement() async throws {
    try await withDatabase(narrow) { _, database async throws in
      await withTaskGroup(of: Void.self) { group in
        for index in 0..<40 {
          group.addTask {
            if index.isMultiple(of: 2) {
              let error = await failure { try await database.write(nil, ["SELECT 1", "SELECT missing FROM nowhere"]) }
              #expect(error?.sqlState == "42P01")
            } else {
              #expect(await failure { try await database.write(nil, ["SELECT 1", "SELECT 2"]) } == nil)
            }
          }
        }
      }
    }
  }

  @Test("the tenant ends with its batch: the next one on the same connection sees nothing")
  func tenantDoesNotLeak() async throws {
    try await withDatabase(narrow) { _, database async throws in
      let (mine, other) = (UUID(), UUID())
      _ = try await database.write(mine, "INSERT INTO note VALUES (\(mine), 1, 'mine')")
      _ = try await database.write(other, "INSERT INTO note VALUES (\(other), 1, 'other')")
      for _ in 0..<20 {
        // Sent together, so that they stand behind one another in one pipeline.
        async let first = database.read(mine, "SELECT body FROM note")
        async let second = database.read(nil, "SELECT body FROM note")
        async let third = database.read(other, "SELECT body FROM note")
        async let failing = failure { try await database.read(mine, "SELECT 1 / (\(0)::int)") }
        async let last = database.read(nil, "SELECT count(*) FROM note")
        #expect(try await first.map { try $0[0] as String } == ["mine"])
        #expect(try await second.isEmpty)
        #expect(try await third.map { try $0[0] as String } == ["other"])
        #expect(await failing != nil)
        #expect(try await last[0][0] == 0)
      }
      // Negative control: with the tenant set, the same statement does see the row.
      #expect(try await count(database, mine) == 1)
      let foreign = await failure { try await database.write(mine, "INSERT INTO note VALUES (\(other), 2, 'x')") }
      #expect(foreign?.sqlState == "42501")
    }
  }

  @Test("a guard that does not hold takes the whole batch back and is named")
  func guards() async throws {
    try await withDatabase { _, database async throws in
      let redeem: [SQL] = [
        """
        WITH used AS (UPDATE counter SET value = value + 1 WHERE id = 1 AND value = 0 RETURNING id)
        SELECT guard('code_used', EXISTS (SELECT FROM used))
        """, "UPDATE counter SET value = value + 1 WHERE id = 2",
      ]
      let results = await withTaskGroup(of: DatabaseError?.self) { group in
        for _ in 0..<50 { group.addTask { await failure { try await database.write(nil, redeem) } } }
        return await group.reduce(into: [DatabaseError?]()) { $0.append($1) }
      }
      #expect(results.filter { $0 == nil }.count == 1)
      #expect(results.compactMap { $0 }.allSatisfy { $0.guardName == "code_used" })
      let held = try await database.read(nil, "SELECT sum(value)::bigint FROM counter")[0][0] == 2
      #expect(held)
    }
  }

  @Test("a read lane refuses to write")
  func readConnectionsDoNotWrite() async throws {
    try await withDatabase { _, database async throws in
      #expect(await failure { try await database.read(nil, "UPDATE counter SET value = 9") }?.sqlState == "25006")
    }
  }

  @Test("the time limit of the server is a timeout, and the lane lives on")
  func statementTimeout() async throws {
    try await withDatabase({ $0.readTimeout = .milliseconds(50) }) { _, database async throws in
      #expect(await failure { try await database.read(nil, "SELECT pg_sleep(30)") }?.isTimeout == true)
      let held = try await database.read(nil, "SELECT 1").count == 1
      #expect(held)
      #expect(database.statistics.lost == 0)
    }
  }

  @Test("more than the bound is refused as overloaded, and what was accepted is answered")
  func overload() async throws {
    try await withDatabase({
      $0.connections = 2
      $0.pendingPerConnection = 4
    }) { place, database async throws in
      await withTaskGroup(of: DatabaseError?.self) { group in
        for _ in 0..<100 {
          group.addTask { await failure { try await database.read(nil, "SELECT pg_sleep(0.05)") } }
        }
        var answered = 0
        for await error in group {
          if error == nil { answered += 1 } else { #expect(error?.isOverloaded == true) }
        }
        // Two loops with one reading lane each.
        #expect(answered >= 4 && answered <= 90)
        #expect(database.statistics.refused == 100 - answered)
      }
      let after = try await database.read(nil, "SELECT 1")
      #expect(after.count == 1)
      #expect(database.statistics.pending == 0)
    }
  }

  @Test("thousands of different statements pass through a bounded cache")
  func manyStatements() async throws {
    try await withDatabase(narrow) { _, database async throws in
      for number in 0..<700 {
        let rows = try await database.read(nil, "SELECT \(unsafeSplicedSQL: "\(number)") + \(1)::int")
        #expect(try rows[0][0] == number + 1)
      }
      let kept = try await database.read(nil, "SELECT count(*) FROM pg_prepared_statements")
      let count: Int = try kept[0][0]
      #expect(count > 0 && count <= 257)
    }
  }

  @Test("a prepared plan that a schema change made stale is prepared again without an error")
  func stalePlan() async throws {
    try await withDatabase(narrow) { place, database async throws in
      let all: SQL = "SELECT * FROM counter ORDER BY id"
      for _ in 0..<10 { #expect(try await database.read(nil, all).first?.count == 2) }
      try await place.run(script: "ALTER TABLE gatehouse.counter ADD COLUMN more text")
      for _ in 0..<10 { #expect(try await database.read(nil, all).first?.count == 3) }
      try await place.run(script: "ALTER TABLE gatehouse.counter DROP COLUMN more")
      let columns = try await database.transaction(nil) { try await $0.query(all).first?.count }
      #expect(columns == 2)
    }
  }

  @Test("statements that were deallocated unnoticed are prepared again")
  func forgottenStatements() async throws {
    try await withDatabase(narrow) { _, database async throws in
      for _ in 0..<4 {
        _ = try await database.read(nil, "SELECT 1")
        _ = try? await database.read(nil, "DEALLOCATE ALL")
      }
      #expect(try await database.read(nil, "SELECT 1").count == 1)
    }
  }

  @Test("a statement that is in a batch twice survives a second preparation")
  func twiceInOneBatch() async throws {
    try await withDatabase(narrow) { _, database async throws in
      for _ in 0..<4 {
        _ = try? await database.write(nil, "DEALLOCATE ALL")
        let rows = try await database.write(nil, ["SELECT \(1)", "SELECT \(2)", "SELECT \(1)"])
        #expect(try rows.map { try $0[0][0] as Int } == [1, 2, 1])
      }
    }
  }

  @Test("a large answer and a large question at once do not lock both sides up")
  func largeBothWays() async throws {
    try await withDatabase(narrow) { _, database async throws in
      let question = String(repeating: "q", count: 3_000_000)
      let failures = await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<8 {
          group.addTask {
            let rows = try? await database.read(nil, "SELECT \(question)::text || \(question)::text")
            return (try? rows?[0][0] as String?) == question + question
          }
        }
        return await group.reduce(0) { $0 + ($1 ? 0 : 1) }
      }
      #expect(failures == 0)
    }
  }

  @Test("a caller on a loop is answered on that loop")
  func staysOnLoop() async throws {
    try await withDatabase { _, database async throws in
      let loop = TestCluster.loops.loops[1]
      let stayed = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
        Task(executorPreference: loop) {
          let before = loop.isCurrent
          _ = try? await database.read(nil, "SELECT 1")
          continuation.resume(returning: before && loop.isCurrent)
        }
      }
      #expect(stayed)
    }
  }
}
