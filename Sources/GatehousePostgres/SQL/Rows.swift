import CPostgreSQL

/// The answer of one statement: its rows, or only the number of rows it touched.
///
/// Values are decoded when they are asked for; the answer itself is never copied.
package struct Rows: Sendable, RandomAccessCollection {
  let answer: Answer
  package let startIndex = 0
  package let endIndex: Int

  init(_ answer: Answer) {
    self.answer = answer
    endIndex = Int(PQntuples(answer.handle))
  }

  package subscript(position: Int) -> Row {
    precondition(position >= 0 && position < endIndex, "row index out of range")
    return Row(answer: answer, index: Int32(position))
  }

  /// Rows that INSERT, UPDATE, DELETE or SELECT touched; 0 for other commands.
  package var affected: Int { Int(String(cString: PQcmdTuples(answer.handle))) ?? 0 }

  /// The command's tag without its numbers, as `UPDATE` or `ROLLBACK`.
  var command: String {
    String(String(cString: PQcmdStatus(answer.handle)).prefix { $0 != " " })
  }

  /// The only row, or nil if there is none. More than one row is an error of the statement.
  package func single() throws(DatabaseError) -> Row? {
    guard count <= 1 else { throw .unexpectedRow("at most one row was expected, \(count) came") }
    return first
  }
}

/// Owns one libpq result and frees it.
final class Answer: @unchecked Sendable {
  // SAFETY: libpq never changes a result after PQgetResult returned it, and only deinit frees it.
  let handle: OpaquePointer

  init(_ handle: OpaquePointer) { self.handle = handle }
  deinit { PQclear(handle) }
}

/// One row. `read` takes all of its columns; `try row[0] as UUID?` takes the only one.
package struct Row: Sendable {
  let answer: Answer
  let index: Int32

  /// The number of columns.
  package var count: Int { Int(PQnfields(answer.handle)) }

  /// The value of the column at `position` (from 0). Throws `unexpectedRow` for a missing column, another type,
  /// or NULL where the type is not optional.
  package subscript<Value: SQLDecodable>(_ position: Int) -> Value {
    get throws(DatabaseError) {
      guard position >= 0 && position < count else {
        throw .unexpectedRow("column \(position) is missing, the row has \(count)")
      }
      return try Value.decodeSQL(cell(Int32(position)))
    }
  }

  private func cell(_ position: Int32) -> SQLCell {
    SQLCell(answer: answer, row: index, column: position)
  }
}

/// One value of a row before it is decoded.
package struct SQLCell {
  let answer: Answer
  let row: Int32
  let column: Int32

  /// The type's number in `pg_type`.
  package var type: UInt32 { PQftype(answer.handle, column) }
  /// Whether the value is NULL.
  package var isNull: Bool { PQgetisnull(answer.handle, row, column) == 1 }

  /// The bytes in binary format. `body` must not keep the pointer.
  package func withBytes<Result>(
    _ body: (UnsafeRawBufferPointer) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    guard !isNull else { throw failure("is NULL") }
    guard PQfformat(answer.handle, column) == 1 else { throw failure("came in text format") }
    // SAFETY: the pointer lives as long as `answer`, which this value keeps.
    let value = PQgetvalue(answer.handle, row, column)
    let bytes = UnsafeRawBufferPointer(start: value, count: Int(PQgetlength(answer.handle, row, column)))
    return try withExtendedLifetime(answer) { () throws(DatabaseError) in try body(bytes) }
  }

  /// An error that names this column but not its value.
  package func failure(_ what: String) -> DatabaseError {
    .unexpectedRow("column \(String(cString: PQfname(answer.handle, column))) \(what)")
  }

  /// An integer of the width that the type says.
  func integer<Value: FixedWidthInteger>(_ value: Value.Type) throws(DatabaseError) -> Value {
    try withBytes { bytes throws(DatabaseError) in
      guard bytes.count == MemoryLayout<Value>.size else { throw failure("has \(bytes.count) bytes") }
      return Value(bigEndian: bytes.loadUnaligned(as: Value.self))
    }
  }
}
