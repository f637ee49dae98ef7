import CPostgreSQL

/// Takes the columns of a row in the order of the statement; no column has a number. `Row.read` gives one out and sees
/// that no column is left.
package struct RowReader: ~Copyable {
  private let row: Row
  private let count: Int32
  private var position: Int32 = 0

  fileprivate init(_ row: Row) {
    self.row = row
    count = PQnfields(row.answer.handle)
  }

  /// The next column. Throws `unexpectedRow` where there is none, for another type, and for NULL where the type is not
  /// optional.
  @inline(__always)  // A row of a session and its account has 28 columns, and a request reads one.
  package mutating func next<Value: SQLDecodable>(_ type: Value.Type = Value.self) throws(DatabaseError) -> Value {
    guard position < count else {
      throw .unexpectedRow("column \(position) is missing, the row has \(count)")
    }
    let cell = SQLCell(answer: row.answer, row: row.index, column: position)
    position += 1
    return try Value.decodeSQL(cell)
  }

  /// Leaves out what follows: it says nothing about this row.
  package mutating func skipRest() { position = count }

  fileprivate func end() throws(DatabaseError) {
    guard position == count else {
      throw .unexpectedRow("\(position) columns were read, the row has \(count)")
    }
  }
}

extension Row {
  /// The result of `body` for the columns. Throws `unexpectedRow` unless it takes all of them.
  package func read<Value>(_ body: (inout RowReader) throws -> Value) throws -> Value {
    var columns = RowReader(self)
    let value = try body(&columns)
    try columns.end()
    return value
  }

  /// The same where a row may hold what this build does not know: of such a one `body` makes nil, and need not take all
  /// columns.
  package func readKnown<Value>(_ body: (inout RowReader) throws -> Value?) throws -> Value? {
    var columns = RowReader(self)
    guard let value = try body(&columns) else { return nil }
    try columns.end()
    return value
  }
}

extension Rows {
  /// The result of `body` for each row.
  package func read<Value>(_ body: (inout RowReader) throws -> Value) throws -> [Value] {
    try map { try $0.read(body) }
  }

  /// The result of `body` for each row, without rows that this build does not know.
  package func readKnown<Value>(_ body: (inout RowReader) throws -> Value?) throws -> [Value] {
    try compactMap { try $0.readKnown(body) }
  }

  /// The result of `body` for the only row; nil if there is none.
  package func single<Value>(_ body: (inout RowReader) throws -> Value) throws -> Value? {
    try single()?.read(body)
  }

  /// The result of `body` for the only row; nil if there is none, and for one that this build does not know.
  package func singleKnown<Value>(_ body: (inout RowReader) throws -> Value?) throws -> Value? {
    try single()?.readKnown(body)
  }
}
