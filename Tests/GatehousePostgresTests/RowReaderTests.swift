import GatehousePostgres
import GatehouseServerTesting
import Testing

@Suite struct RowReaderTests {
  /// What `body` makes of the rows that a statement answers.
  private func read<Value: Sendable>(
    _ statement: SQL, _ body: @Sendable (inout RowReader) throws -> Value
  ) async throws -> Result<[Value], any Error> {
    var answer: Result<[Value], any Error>?
    try await withDatabase { _, database async throws in
      let rows = try await database.read(nil, statement)
      answer = Result { try rows.read(body) }
    }
    return try #require(answer)
  }

  private func flaw<Value>(of read: Result<Value, any Error>) -> String? {
    guard case .failure(DatabaseError.unexpectedRow(let flaw)) = read else { return nil }
    return flaw
  }

  @Test("columns come in the order of the statement")
  func order() async throws {
    let read = try await read("SELECT 1, 'a', NULL::int UNION ALL SELECT 2, 'b', 3") { columns in
      "\(try columns.next(Int.self)) \(try columns.next(String.self)) \(try columns.next(Int?.self) ?? 0)"
    }
    #expect(try read.get() == ["1 a 0", "2 b 3"])
  }

  @Test("a column that is left over is an error")
  func leftOver() async throws {
    let read = try await read("SELECT 1, 2") { try $0.next(Int.self) }
    #expect(flaw(of: read) == "1 columns were read, the row has 2")
  }

  @Test("a column that is missing is an error")
  func missing() async throws {
    let read = try await read("SELECT 1") { (try $0.next(Int.self), try $0.next(Int.self)) }
    #expect(flaw(of: read) == "column 1 is missing, the row has 1")
  }

  @Test("columns that are skipped on purpose are not an error")
  func skipped() async throws {
    let read = try await read("SELECT 1, 2, 3") { columns in
      let first: Int = try columns.next()
      columns.skipRest()
      return first
    }
    #expect(try read.get() == [1])
  }

  @Test("a row of which nothing is made may leave columns over, and is left out")
  func unknown() async throws {
    try await withDatabase { _, database async throws in
      let rows = try await database.read(nil, "SELECT 'old', 1 UNION ALL SELECT 'new', 2 UNION ALL SELECT 'old', 3")
      let known = try rows.readKnown { columns in
        try columns.next(String.self) == "old" ? try columns.next(Int.self) : nil
      }
      #expect(known == [1, 3])
    }
  }
}
