/// Writes any `Encodable` as JSON bytes: members in the order in which the type encodes them (its declaration order, when
/// synthesised), dictionaries sorted by the UTF-8 of their keys. The same value gives the same bytes in every process.
/// `nil` members of synthesised types are left out. Sets, and dictionaries whose keys are neither strings nor integers,
/// have no stable order and do not belong in an answer.
package enum JSONEncoding {
  /// The compact JSON text of `value`.
  /// - Throws: `EncodingError` for a floating-point value that is not finite, and what the type itself throws.
  package static func encode(_ value: some Encodable) throws -> [UInt8] { try self.value(value).bytes }

  /// `value` as a JSON value.
  package static func value(_ value: some Encodable) throws -> JSONValue {
    let encoder = ValueEncoder()
    try encoder.encodeAny(value)
    return encoder.result
  }
}

/// The encoder standing on one value to be filled. Used by one encoding, on one thread.
final class ValueEncoder: Encoder {
  private enum Content {
    case value(JSONValue)
    case object([(key: String, part: ValueEncoder)], sorted: Bool)
    case array([ValueEncoder])
  }

  /// The key type that the standard library gives to dictionaries, whose order differs from process to process.
  private static let dictionaryKey: ObjectIdentifier? = {
    let probe = ValueEncoder(isProbe: true)
    try? ["": 0].encode(to: probe)
    return probe.keyType
  }()

  private var content: Content?
  private let isProbe: Bool
  private var keyType: ObjectIdentifier?

  // Paths appear only in errors, and those speak to the author of a type: they are not kept.
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(isProbe: Bool = false) { self.isProbe = isProbe }

  /// What was encoded. A type that encoded nothing is an empty object, as a synthesised one without members is.
  var result: JSONValue {
    switch content {
    case nil: .object(JSONObject())
    case .value(let value): value
    case .array(let parts): .array(parts.map(\.result))
    case .object(let parts, let sorted):
      .object(
        JSONObject(
          distinct: (sorted ? parts.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) } : parts)
            .map { JSONObject.Member(key: $0.key, value: $0.part.result) }))
    }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    keyType = ObjectIdentifier(type)
    if content == nil { content = .object([], sorted: !isProbe && keyType == ValueEncoder.dictionaryKey) }
    return KeyedEncodingContainer(MemberEncodingContainer<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if content == nil { content = .array([]) }
    return ItemEncodingContainer(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { WholeEncodingContainer(encoder: self) }

  func set(_ value: JSONValue) { content = .value(value) }

  /// The place of a member, made new or, when the name was used before, again.
  func part(named key: String) -> ValueEncoder {
    guard case .object(var parts, let sorted) = content else { return ValueEncoder() }
    let part = ValueEncoder()
    content = nil  // so that appending does not copy the list
    // A dictionary has no name twice, and may be large.
    if !sorted, let index = parts.firstIndex(where: { $0.key.utf8.elementsEqual(key.utf8) }) {
      parts[index].part = part
    } else {
      parts.append((key, part))
    }
    content = .object(parts, sorted: sorted)
    return part
  }

  /// The place of the next item.
  func nextPart() -> ValueEncoder {
    guard case .array(var parts) = content else { return ValueEncoder() }
    let part = ValueEncoder()
    content = nil
    parts.append(part)
    content = .array(parts)
    return part
  }

  var itemCount: Int { if case .array(let parts) = content { parts.count } else { 0 } }

  /// A scalar directly, anything else through its own `encode(to:)`.
  func encodeAny<T: Encodable>(_ value: T) throws {
    switch value {
    case let text as String: set(.string(text))
    case let truth as Bool: set(.bool(truth))
    case let number as Int: set(.integer(Int64(number)))
    case let number as Double: try set(real(number))
    case let number as Float: try set(real(Double(number)))
    case let number as any FixedWidthInteger:
      set(Int64(exactly: number).map(JSONValue.integer) ?? .number(String(describing: number)))
    case let json as JSONValue: set(json)
    default: try value.encode(to: self)
    }
  }

  private func real(_ number: Double) throws -> JSONValue {
    guard number.isFinite else {
      throw EncodingError.invalidValue(
        number, EncodingError.Context(codingPath: [], debugDescription: "JSON has no such number"))
    }
    return Int64(exactly: number).map(JSONValue.integer) ?? .number(number.description)
  }
}

/// The members of an object to be written.
struct MemberEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: ValueEncoder
  var codingPath: [any CodingKey] { [] }

  mutating func encodeNil(forKey key: Key) { encoder.part(named: key.stringValue).set(.null) }

  // One generic method serves every scalar that the protocol lists.
  mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    try encoder.part(named: key.stringValue).encodeAny(value)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    encoder.part(named: key.stringValue).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder.part(named: key.stringValue).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder { encoder }
  mutating func superEncoder(forKey key: Key) -> any Encoder { encoder.part(named: key.stringValue) }
}

/// The items of an array to be written.
struct ItemEncodingContainer: UnkeyedEncodingContainer {
  let encoder: ValueEncoder
  var codingPath: [any CodingKey] { [] }
  var count: Int { encoder.itemCount }

  mutating func encodeNil() { encoder.nextPart().set(.null) }
  mutating func encode<T: Encodable>(_ value: T) throws { try encoder.nextPart().encodeAny(value) }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    encoder.nextPart().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.nextPart().unkeyedContainer() }
  mutating func superEncoder() -> any Encoder { encoder.nextPart() }
}

/// One value to be written.
struct WholeEncodingContainer: SingleValueEncodingContainer {
  let encoder: ValueEncoder
  var codingPath: [any CodingKey] { [] }

  mutating func encodeNil() { encoder.set(.null) }
  mutating func encode<T: Encodable>(_ value: T) throws { try encoder.encodeAny(value) }
}

extension JSONValue: Encodable {
  /// Writes the value as it is; only `JSONEncoding` can do that.
  package func encode(to encoder: any Encoder) throws {
    guard let encoder = encoder as? ValueEncoder else {
      throw EncodingError.invalidValue(
        kind, EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "encode with JSONEncoding"))
    }
    encoder.set(self)
  }
}
