import Foundation
import GatehousePostgres
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite struct BindingTests {
  @Test("values become numbered parameters, nested statements too")
  func numbering() {
    let id = UUID()
    let part: SQL = "kind = \("x") AND size > \(3)"
    let whole: SQL = "SELECT a FROM t WHERE id = \(id) AND (\(part)) LIMIT \(10)"
    #expect(whole.text == "SELECT a FROM t WHERE id = $1 AND (kind = $2 AND size > $3) LIMIT $4")
    #expect(whole.parameters.count == 4)
    #expect(SQL.joined(["(\(1))", "(\(2))"], by: ", ").text == "($1), ($2)")
  }

  @Test("neither a statement nor a parameter shows its values")
  func noValuesInDescriptions() {
    let statement: SQL = "SELECT \("hunter2")"
    #expect(!"\(statement) \(statement.parameters)".contains("hunter2"))
    #expect("\(statement)" == "SELECT $1")
  }

  @Test("an identifier is quoted, and its quotes doubled")
  func identifiers() {
    let statement: SQL = "LISTEN \(identifier: #"a"; DROP TABLE x; --"#)"
    #expect(statement.text == #"LISTEN "a""; DROP TABLE x; --""#)
  }

  @Test(
    "hostile text comes back as it went",
    arguments: [
      "", "'", "''; DROP TABLE note; --", "\\", "\\'", "$1", "%s", "{a,b}", "\"", "\u{1F600}", "e\u{301}", "é",
      "\r\n\t", "NULL", "\u{FEFF}x", String(repeating: "x'", count: 5000),
    ])
  func hostile(text: String) async throws {
    try await withDatabase { _, database async throws in
      let rows = try await database.read(nil, "SELECT \(text)::text, \([text, "b"]), octet_length(\(text)::text)")
      let row = try #require(rows.first)
      let back: String = try row[0]
      #expect(Array(back.utf8) == Array(text.utf8))
      let list: [String] = try row[1]
      #expect(list.map { Array($0.utf8) } == [Array(text.utf8), Array("b".utf8)])
      #expect(try row[2] == text.utf8.count)
    }
  }

  @Test("text with NUL is refused, alone and in an array, and is never cut")
  func nul() async throws {
    try await withDatabase { _, database async throws in
      let alone = await failure { try await database.read(nil, "SELECT \("abc\0x")::text") }
      #expect(alone?.sqlState == "22021")
      let inArray = await failure { try await database.read(nil, "SELECT \(["abc\0x"])") }
      #expect(inArray?.sqlState == "22021")
      let held = try await database.read(nil, "SELECT 1").count == 1
      #expect(held)
    }
  }

  @Test("every type makes the round trip")
  func types() async throws {
    try await withDatabase { _, database async throws in
      let id = UUID()
      let bytes: [UInt8] = [0, 1, 255, 39]
      let date = Date(timeIntervalSinceReferenceDate: 812_345_678.123456)
      let statement: SQL = """
        SELECT \(id), \(bytes), \(Int.min), \(Int64.max), \(Int32(-7)), \(true), \(1.5), \(date),
          \(Duration.milliseconds(90_061_001)), \(JSONB(Array(#"{"a":"b"}"#.utf8))), \([id, UUID()]), \([1, -2]), \([UInt8]()),
          \([bytes, []]), \([String]())
        """
      let row = try #require(try await database.read(nil, statement).first)
      #expect(try row[0] == id)
      #expect(try row[1] == bytes)
      #expect(try row[2] == Int.min)
      #expect(try row[3] == Int64.max)
      #expect(try row[4] == Int32(-7))
      #expect(try row[5] == true)
      #expect(try row[6] == 1.5)
      let back: Date = try row[7]
      #expect(abs(back.timeIntervalSince(date)) < 0.000002)
      #expect(try row[8] == Duration.milliseconds(90_061_001))
      let json: JSONB = try row[9]
      #expect(String(decoding: json.bytes, as: UTF8.self) == #"{"a": "b"}"#)
      let ids: [UUID] = try row[10]
      #expect(ids.first == id && ids.count == 2)
      #expect(try row[11] == [1, -2])
      #expect(try row[12] == [UInt8]())
      #expect(try row[13] == [bytes, []])
      #expect(try row[14] == [String]())
    }
  }

  @Test("nil is NULL, and NULL is nil")
  func null() async throws {
    try await withDatabase { _, database async throws in
      let row = try #require(
        try await database.read(
          nil, "SELECT \(nil as UUID?), \(nil as Int?), \(nil as [UInt8]?), \(nil as String?)::text"
        )
        .first)
      #expect(try row[0] as UUID? == nil)
      #expect(try row[1] as Int? == nil)
      #expect(try row[2] as [UInt8]? == nil)
      #expect(try row[3] as String? == nil)
    }
  }

  @Test("the ends of time survive, and a far date does not trap", arguments: [Date.distantPast, .distantFuture])
  func infinity(date: Date) async throws {
    try await withDatabase { _, database async throws in
      let rows = try await database.read(nil, "SELECT \(date), \(Date(timeIntervalSince1970: 1e300))::text")
      #expect(try rows[0][0] == date)
      #expect(try rows[0][1] == "infinity")
    }
  }

  @Test("a wrong type, a missing column and an unexpected NULL are errors that name the column, not traps")
  func decodingErrors() async throws {
    try await withDatabase { _, database async throws in
      let row = try #require(try await database.read(nil, "SELECT 'secret' AS word, NULL::bigint AS number").first)
      for attempt: () throws -> Void in [
        { let _: UUID = try row[0] }, { let _: Int = try row[1] }, { let _: Int = try row[0] },
        { let _: [UUID] = try row[0] },
      ] {
        let error = #expect(throws: DatabaseError.self) { try attempt() }
        let text = error.map(String.init(describing:)) ?? ""
        #expect(text.contains("word") || text.contains("number"))
        #expect(!text.contains("secret"))
      }
      #expect(throws: DatabaseError.self) { let _: Int? = try row[2] }
      #expect(throws: DatabaseError.self) { let _: Int? = try row[-1] }
    }
  }

  @Test("an error shows its code and constraint and never the values")
  func privateNote() async throws {
    try await withDatabase { _, database async throws in
      let error = try #require(await failure { try await database.read(nil, "SELECT \("hunter2")::int") })
      guard case .server("22P02", nil, let note) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(note.revealed.contains("hunter2"))
      var dumped = ""
      dump(error, to: &dumped)
      for text in ["\(error)", String(reflecting: error), error.localizedDescription, dumped] {
        #expect(!text.contains("hunter2"))
      }
    }
  }
}
