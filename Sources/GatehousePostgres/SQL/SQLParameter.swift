package import Foundation

/// A bound value as it goes over the wire.
package struct SQLParameter: Sendable, CustomStringConvertible {
  /// The type's number in `pg_type`; 0 lets the server infer it from the context.
  package let type: UInt32
  /// Whether `bytes` are in the type's binary format.
  package let isBinary: Bool
  /// The encoded value; nil is NULL.
  package let bytes: [UInt8]?

  /// A value encoded by hand, for types of other rooms.
  package init(type: UInt32, isBinary: Bool, bytes: [UInt8]?) {
    self.type = type
    self.isBinary = isBinary
    self.bytes = bytes
  }

  /// The type only, never the value.
  package var description: String { "<value of type \(type)>" }
}

/// A type whose values SQL interpolation binds.
package protocol SQLBindable {
  /// The type's number in `pg_type`, also of its NULL; 0 lets the server infer it.
  static var sqlType: UInt32 { get }
  /// The value, encoded.
  var sqlParameter: SQLParameter { get }
}

/// A type that can stand inside an array parameter.
package protocol SQLElement: SQLBindable {
  /// The element's type inside an array.
  static var sqlElementType: UInt32 { get }
  /// The number of the array type.
  static var sqlArrayType: UInt32 { get }
  /// The element in binary format; nil is NULL.
  var sqlElementBytes: [UInt8]? { get }
  /// How an array of these is bound.
  static func sqlParameter(of array: [Self]) -> SQLParameter
  /// How an array of these is read.
  static func decodeSQLArray(_ cell: SQLCell) throws(DatabaseError) -> [Self]
}

/// Numbers of built-in types, from `pg_type.dat`.
package enum SQLType {
  package static let bool: UInt32 = 16
  package static let bytea: UInt32 = 17
  package static let name: UInt32 = 19
  package static let int8: UInt32 = 20
  package static let int2: UInt32 = 21
  package static let int4: UInt32 = 23
  package static let text: UInt32 = 25
  package static let oid: UInt32 = 26
  package static let json: UInt32 = 114
  package static let float4: UInt32 = 700
  package static let float8: UInt32 = 701
  package static let unknown: UInt32 = 705
  package static let byteaArray: UInt32 = 1001
  package static let textArray: UInt32 = 1009
  package static let int4Array: UInt32 = 1007
  package static let int8Array: UInt32 = 1016
  package static let boolArray: UInt32 = 1000
  package static let bpchar: UInt32 = 1042
  package static let varchar: UInt32 = 1043
  package static let timestamptz: UInt32 = 1184
  package static let timestamptzArray: UInt32 = 1185
  package static let interval: UInt32 = 1186
  package static let float8Array: UInt32 = 1022
  package static let uuid: UInt32 = 2950
  package static let uuidArray: UInt32 = 2951
  package static let jsonb: UInt32 = 3802
  package static let jsonbArray: UInt32 = 3807
  /// Types made by the schema (enums among them) are numbered from here.
  package static let firstOfSchema: UInt32 = 16384
}

extension SQLElement {
  package static var sqlElementType: UInt32 { sqlType }
  package var sqlElementBytes: [UInt8]? { sqlParameter.bytes }

  /// One dimension, lower bound 1, in the format of `array_send`.
  package static func sqlParameter(of array: [Self]) -> SQLParameter {
    var bytes: [UInt8] = []
    let elements = array.map(\.sqlElementBytes)
    bytes.appendBigEndian(Int32(elements.isEmpty ? 0 : 1))
    bytes.appendBigEndian(Int32(elements.contains { $0 == nil } ? 1 : 0))
    bytes.appendBigEndian(sqlElementType)
    if !elements.isEmpty {
      bytes.appendBigEndian(Int32(clamping: elements.count))
      bytes.appendBigEndian(Int32(1))
    }
    for element in elements {
      guard let element else {
        bytes.appendBigEndian(Int32(-1))
        continue
      }
      bytes.appendBigEndian(Int32(clamping: element.count))
      bytes += element
    }
    return SQLParameter(type: sqlArrayType, isBinary: true, bytes: bytes)
  }
}

extension Optional: SQLBindable where Wrapped: SQLBindable {
  package static var sqlType: UInt32 { Wrapped.sqlType }
  package var sqlParameter: SQLParameter {
    self?.sqlParameter ?? SQLParameter(type: Wrapped.sqlType, isBinary: false, bytes: nil)
  }
}

extension Optional: SQLElement where Wrapped: SQLElement {
  package static var sqlElementType: UInt32 { Wrapped.sqlElementType }
  package static var sqlArrayType: UInt32 { Wrapped.sqlArrayType }
  package var sqlElementBytes: [UInt8]? { self?.sqlElementBytes }
}

extension Array: SQLBindable where Element: SQLElement {
  package static var sqlType: UInt32 { Element.sqlArrayType }
  package var sqlParameter: SQLParameter { Element.sqlParameter(of: self) }
}

/// `[UInt8]` is `bytea`, so `[[UInt8]]` is `bytea[]`.
extension Array: SQLElement where Element == UInt8 {
  package static var sqlArrayType: UInt32 { SQLType.byteaArray }
}

/// A byte exists only as part of a `bytea`.
extension UInt8: SQLElement {
  package static var sqlType: UInt32 { SQLType.int2 }
  package static var sqlArrayType: UInt32 { SQLType.bytea }
  package var sqlParameter: SQLParameter { Int32(self).sqlParameter }
  package static func sqlParameter(of array: [UInt8]) -> SQLParameter {
    SQLParameter(type: SQLType.bytea, isBinary: true, bytes: array)
  }
}

/// The type is left to the server, so that a string also fits `inet`, an enum or a domain. A string with NUL is refused
/// before it is sent (`SQLSTATE 22021`): libpq would cut it there.
extension String: SQLElement {
  package static var sqlType: UInt32 { 0 }
  package static var sqlElementType: UInt32 { SQLType.text }
  package static var sqlArrayType: UInt32 { SQLType.textArray }
  package var sqlParameter: SQLParameter { SQLParameter(type: 0, isBinary: false, bytes: Array(utf8)) }
}

extension Int: SQLElement {
  package static var sqlType: UInt32 { SQLType.int8 }
  package static var sqlArrayType: UInt32 { SQLType.int8Array }
  package var sqlParameter: SQLParameter { Int64(self).sqlParameter }
}

extension Int64: SQLElement {
  package static var sqlType: UInt32 { SQLType.int8 }
  package static var sqlArrayType: UInt32 { SQLType.int8Array }
  package var sqlParameter: SQLParameter { .binary(SQLType.int8, self) }
}

extension Int32: SQLElement {
  package static var sqlType: UInt32 { SQLType.int4 }
  package static var sqlArrayType: UInt32 { SQLType.int4Array }
  package var sqlParameter: SQLParameter { .binary(SQLType.int4, self) }
}

extension Bool: SQLElement {
  package static var sqlType: UInt32 { SQLType.bool }
  package static var sqlArrayType: UInt32 { SQLType.boolArray }
  package var sqlParameter: SQLParameter {
    SQLParameter(type: SQLType.bool, isBinary: true, bytes: [self ? 1 : 0])
  }
}

extension Double: SQLElement {
  package static var sqlType: UInt32 { SQLType.float8 }
  package static var sqlArrayType: UInt32 { SQLType.float8Array }
  package var sqlParameter: SQLParameter { .binary(SQLType.float8, bitPattern) }
}

extension UUID: SQLElement {
  package static var sqlType: UInt32 { SQLType.uuid }
  package static var sqlArrayType: UInt32 { SQLType.uuidArray }
  package var sqlParameter: SQLParameter {
    SQLParameter(type: SQLType.uuid, isBinary: true, bytes: withUnsafeBytes(of: uuid) { Array($0) })
  }
}

/// `timestamptz`, to the microsecond. `.distantPast` and `.distantFuture` are `-infinity` and `infinity`.
extension Date: SQLElement {
  package static var sqlType: UInt32 { SQLType.timestamptz }
  package static var sqlArrayType: UInt32 { SQLType.timestamptzArray }
  /// Seconds from PostgreSQL's epoch (2000-01-01) to Foundation's (2001-01-01).
  static let secondsFromPostgresEpoch: Double = 31_622_400

  package var sqlParameter: SQLParameter {
    let microseconds = ((timeIntervalSinceReferenceDate + Date.secondsFromPostgresEpoch) * 1_000_000).rounded()
    let value: Int64
    switch self {
    case .distantPast: value = .min
    case .distantFuture: value = .max
    default: value = Int64(exactly: microseconds) ?? (microseconds < 0 ? .min : .max)
    }
    return .binary(SQLType.timestamptz, value)
  }
}

/// `interval`, to the microsecond.
extension Duration: SQLBindable {
  package static var sqlType: UInt32 { SQLType.interval }
  package var sqlParameter: SQLParameter {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    let (sum, carried) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000)
    var bytes: [UInt8] = []
    bytes.appendBigEndian(overflow || carried ? (seconds < 0 ? Int64.min : Int64.max) : sum)
    bytes.appendBigEndian(Int64(0))  // 32 bits of days, 32 bits of months
    return SQLParameter(type: SQLType.interval, isBinary: true, bytes: bytes)
  }
}

/// A JSON document as UTF-8 text, bound as `jsonb`.
package struct JSONB: Sendable, SQLElement {
  /// The document's text.
  package var bytes: [UInt8]

  /// A document that the caller has encoded; the server checks it.
  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package static var sqlType: UInt32 { SQLType.jsonb }
  package static var sqlArrayType: UInt32 { SQLType.jsonbArray }
  package var sqlParameter: SQLParameter {
    SQLParameter(type: SQLType.jsonb, isBinary: true, bytes: [1] + bytes)  // 1 is the version `jsonb_recv` wants
  }
}

extension SQLParameter {
  static func binary(_ type: UInt32, _ value: some FixedWidthInteger) -> SQLParameter {
    var bytes: [UInt8] = []
    bytes.appendBigEndian(value)
    return SQLParameter(type: type, isBinary: true, bytes: bytes)
  }
}

extension [UInt8] {
  mutating func appendBigEndian(_ value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
  }
}
