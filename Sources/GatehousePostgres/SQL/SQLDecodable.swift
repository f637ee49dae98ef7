package import Foundation

/// A type that can be read from a row.
package protocol SQLDecodable {
  /// The cell's value. Throws `unexpectedRow` for NULL and for a type that does not fit.
  static func decodeSQL(_ cell: SQLCell) throws(DatabaseError) -> Self
}

extension Optional: SQLDecodable where Wrapped: SQLDecodable {
  package static func decodeSQL(_ cell: SQLCell) throws(DatabaseError) -> Wrapped? {
    cell.isNull ? nil : try Wrapped.decodeSQL(cell)
  }
}

/// Text of any length; `json` and `jsonb` as their text; values of the schema's own enums.
extension String: SQLDecodable {
  package static func decodeSQL(_ cell: SQLCell) throws(DatabaseError) -> String {
    switch cell.type {
    case SQLType.text, SQLType.varchar, SQLType.bpchar, SQLType.name, SQLType.unknown: break
    case SQLType.json, SQLType.jsonb: return String(decoding: try JSONB.decodeSQL(cell).bytes, as: UTF8.self)
    case SQLType.firstOfSchema...: break
    default: throw cell.failure("of type \(cell.type) is not text; cast it in the statement")
    }
    return try cell.withBytes { bytes throws(DatabaseError) in
      guard let text = String(validating: bytes, as: UTF8.self) else { throw cell.failure("is not UTF-8") }
      return text
    }
  }
}

extension Int: SQLDecodable {
  package static func decodeSQL(_ cell: SQLCell) throws(DatabaseError) -> Int { Int(try Int64.decodeSQL(cell)) }
}

extension Int64: SQLDecodable {
  package static func decodeSQL(_ cell: SQLCell) throws(DatabaseError) -> Int64 {
    switch cell.type {
    case SQLType.int8: try cell.integer(Int64.self)
    case SQLType.int4: Int64(try cell.integer(Int32.self))
    case SQLType.int2: Int64(try cell.integer(Int16.self))
    case SQLType.oid: Int64(try cell.integer(UInt32.self))
    default: throw cell.failure("of type \(cell.type) is not an integer")
    }
  }
}

extension Int32: SQLDecodable {
  package static func decodeSQL(_ cell: SQLCell) throws(DatabaseError) -> Int32 {
    guard let value = Int32(exactly: try Int64.decodeSQL(cell)) else { throw cell.failure("does not fit 32 bits") }
    return value
  }
}

extension Bool: SQLDecodable {
  package static func decodeSQL(_ cell: SQLCell) throws(DatabaseError) -> Bool {
    guard cell.type == SQLType.bool else { throw cell.failure("of type \(cell.type) is not a truth value") }
    return try cell.integer(UInt8.self) != 0
  }
}

extension Double: SQLDecodable {
  package static func decodeSQL(_ cell: SQLCell) throws(DatabaseError) -> Double {
    switch cell.type {
    case SQLType.float8: Double(bitPattern: try cell.integer(UInt64.self))
    case SQLType.float4: Double(Float(bitPattern: try cell.integer(UInt32.self)))
    default: throw cell.failure("of type \(cell.type) is not a floating-point number; cast it in the statement")
    }
  }
}

extension UUID: SQLDecodable {
  package static func decodeSQL(_ cell: SQLCell) throws(DatabaseError) -> UUID {
    guard cell.type == SQLType.uuid else { throw cell.failure("of type \(cell.type) is not a uuid") }
    return try cell.withBytes { bytes throws(DatabaseError) in
      guard bytes.count == 16 else { throw cell.failure("has \(bytes.count) bytes") }
      return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }
  }
}

extension Date: SQLDecodable {
  package static func decodeSQL(_ cell: SQLCell) throws(DatabaseError) -> Date {
    guard cell.type == SQLType.timestamptz else {
      throw cell.failure("of type \(cell.type) is not a timestamp with time zone")
    }
    switch try cell.integer(Int64.self) {
    case .min: return .distantPast
    case .max: return .distantFuture
    case let microseconds:
      return Date(timeIntervalSinceReferenceDate: Double(microseconds) / 1_000_000 - secondsFromPostgresEpoch)
    }
  }
}

/// Only intervals without months, which have no fixed length. A day counts 24 hours.
extension Duration: SQLDecodable {
  package static func decodeSQL(_ cell: SQLCell) throws(DatabaseError) -> Duration {
    guard cell.type == SQLType.interval else { throw cell.failure("of type \(cell.type) is not an interval") }
    return try cell.withBytes { bytes throws(DatabaseError) in
      guard bytes.count == 16 else { throw cell.failure("has \(bytes.count) bytes") }
      let microseconds = Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
      let days = Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: Int32.self))
      guard bytes.loadUnaligned(fromByteOffset: 12, as: Int32.self) == 0 else {
        throw cell.failure("has months, which have no fixed length")
      }
      return .microseconds(microseconds) + .seconds(Int64(days) * 86_400)
    }
  }
}

extension JSONB: SQLDecodable {
  package static func decodeSQL(_ cell: SQLCell) throws(DatabaseError) -> JSONB {
    switch cell.type {
    case SQLType.json: return JSONB(try cell.withBytes { bytes throws(DatabaseError) in Array(bytes) })
    case SQLType.jsonb:
      return try cell.withBytes { bytes throws(DatabaseError) in
        guard bytes.first == 1 else { throw cell.failure("is jsonb of an unknown version") }
        return JSONB(Array(bytes.dropFirst()))
      }
    default: throw cell.failure("of type \(cell.type) is not JSON")
    }
  }
}

extension Array: SQLDecodable where Element: SQLElement {
  package static func decodeSQL(_ cell: SQLCell) throws(DatabaseError) -> [Element] {
    try Element.decodeSQLArray(cell)
  }
}

extension UInt8 {
  /// An array of bytes is a `bytea`.
  package static func decodeSQLArray(_ cell: SQLCell) throws(DatabaseError) -> [UInt8] {
    guard cell.type == SQLType.bytea else { throw cell.failure("of type \(cell.type) is not bytea") }
    return try cell.withBytes { bytes throws(DatabaseError) in Array(bytes) }
  }
}

extension SQLElement {
  /// One dimension in the format of `array_send`. Element types that can be built from bytes say so below.
  package static func decodeSQLArray(_ cell: SQLCell) throws(DatabaseError) -> [Self] {
    guard let element = Self.self as? any SQLArrayDecodable.Type else {
      throw cell.failure("can not be read as an array of \(Self.self)")
    }
    guard cell.type == sqlArrayType else { throw cell.failure("of type \(cell.type) is no array of \(Self.self)") }
    // Most arrays are empty: a head that says so, and nothing else.
    let isEmpty = try cell.withBytes { bytes throws(DatabaseError) in
      bytes.count == 12 && bytes.loadUnaligned(as: Int32.self) == 0
    }
    guard !isEmpty else { return [] }
    let values = try cell.withBytes { bytes throws(DatabaseError) in try elements(of: bytes, cell) }
    var decoded: [Self] = []
    decoded.reserveCapacity(values.count)
    for value in values {
      guard let value = element.decodeSQLElement(value) as? Self else { throw cell.failure("has a bad element") }
      decoded.append(value)
    }
    return decoded
  }

  private static func elements(
    of bytes: UnsafeRawBufferPointer, _ cell: SQLCell
  ) throws(DatabaseError) -> [ArraySlice<UInt8>] {
    var rest = Array(bytes)[...]
    func next() throws(DatabaseError) -> Int {
      guard rest.count >= 4 else { throw cell.failure("is cut short") }
      defer { rest = rest.dropFirst(4) }
      return Int(rest.prefix(4).reduce(Int32(0)) { $0 << 8 | Int32($1) })
    }
    let dimensions = try next()
    _ = try next()
    _ = try next()
    guard dimensions > 0 else { return [] }
    guard dimensions == 1 else { throw cell.failure("has \(dimensions) dimensions") }
    let count = try next()
    _ = try next()
    var found: [ArraySlice<UInt8>] = []
    for _ in 0..<max(0, count) {
      let length = try next()
      guard length >= 0 else { throw cell.failure("has a NULL element") }
      guard rest.count >= length else { throw cell.failure("is cut short") }
      found.append(rest.prefix(length))
      rest = rest.dropFirst(length)
    }
    return found
  }
}

/// An element type that can be read from an array.
protocol SQLArrayDecodable {
  static func decodeSQLElement(_ bytes: ArraySlice<UInt8>) -> Self?
}

extension String: SQLArrayDecodable {
  static func decodeSQLElement(_ bytes: ArraySlice<UInt8>) -> String? { String(validating: bytes, as: UTF8.self) }
}

extension UUID: SQLArrayDecodable {
  static func decodeSQLElement(_ bytes: ArraySlice<UInt8>) -> UUID? {
    guard bytes.count == 16 else { return nil }
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}

extension Int: SQLArrayDecodable {
  static func decodeSQLElement(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.count == 8 else { return nil }
    return Int(bytes.reduce(Int64(0)) { $0 << 8 | Int64($1) })
  }
}

extension Array: SQLArrayDecodable where Element == UInt8 {
  static func decodeSQLElement(_ bytes: ArraySlice<UInt8>) -> [UInt8]? { Array(bytes) }
}
