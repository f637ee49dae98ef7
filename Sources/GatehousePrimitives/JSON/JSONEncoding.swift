/// Writes any `Encodable` as JSON bytes: members in the order in which the type encodes them (its declaration order,
/// when synthesised), dictionaries sorted by the UTF-8 of their keys. The same value gives the same bytes in every
/// process. `nil` members of synthesised types are left out. Sets, and dictionaries whose keys are neither strings nor
/// integers, have no stable order and do not belong in an answer.
///
/// Bytes are written as a type encodes itself. So a type names each of its members once, and is done with what it nests
/// (a nested container, a `superEncoder(forKey:)`) before it writes what follows.
package enum JSONEncoding {
  /// The compact JSON text of `value`.
  /// - Throws: `EncodingError` for a floating-point value that is not finite and for a nested container that is written
  ///   to late, and what the type itself throws.
  package static func encode(_ value: some Encodable, spelling: MemberSpelling = .declared) throws -> [UInt8] {
    let text = EncodedText(spelling)
    try text.write(value)
    return text.writer.bytes
  }

  /// `value` as a JSON value.
  /// - Throws: what `encode` throws, and `JSONProblem` for what `JSONParser` does not read.
  package static func value(_ value: some Encodable, spelling: MemberSpelling = .declared) throws -> JSONValue {
    try JSONParser.parse(
      encode(value, spelling: spelling), limits: JSONParser.Limits(size: .max, depth: 512, members: .max))
  }
}

/// The text of one encoding, on one thread.
final class EncodedText {
  private static let integers = Set(
    ([
      Int8.self, Int16.self, Int32.self, Int64.self, Int128.self, UInt.self, UInt8.self, UInt16.self, UInt32.self,
      UInt64.self, UInt128.self,
    ] as [any FixedWidthInteger.Type]).map { ObjectIdentifier($0) })

  var writer = JSONWriter()
  let spelling: MemberSpelling

  init(_ spelling: MemberSpelling) { self.spelling = spelling }

  /// A scalar directly, anything else through its own `encode(to:)`. Types are compared first: a cast that fails is
  /// slow.
  func write<T: Encodable>(_ value: T) throws {
    if T.self == String.self, let text = value as? String {
      writer.string(text)
    } else if T.self == JSONValue.self, let json = value as? JSONValue {
      writer.value(json)
    } else if T.self == Bool.self, let truth = value as? Bool {
      writer.bool(truth)
    } else if T.self == Int.self, let number = value as? Int {
      writer.integer(Int64(number))
    } else if T.self == Double.self, let number = value as? Double {
      try write(number)
    } else if T.self == Float.self, let number = value as? Float {
      try write(Double(number))
    } else if EncodedText.integers.contains(ObjectIdentifier(T.self)), let number = value as? any FixedWidthInteger {
      writer.word(String(describing: number))
    } else {
      let encoder = ValueEncoder(self)
      try value.encode(to: encoder)
      encoder.finish()
    }
  }

  private func write(_ number: Double) throws {
    guard number.isFinite else {
      throw EncodingError.invalidValue(
        number, EncodingError.Context(codingPath: [], debugDescription: "JSON has no such number"))
    }
    if let whole = Int64(exactly: number) { writer.integer(whole) } else { writer.word(number.description) }
  }
}

/// The encoder that stands on one value.
final class ValueEncoder: Encoder {
  private enum Content { case nothing, value, array, object, dictionary }

  /// The key type that the standard library gives to dictionaries, whose order differs from process to process.
  static let dictionaryKey: ObjectIdentifier? = {
    let probe = ValueEncoder(EncodedText(.declared), isProbe: true)
    try? ["": 0].encode(to: probe)
    return probe.keyType
  }()

  let text: EncodedText
  private(set) var itemCount = 0
  private var content = Content.nothing
  private var isFinished = false
  /// The encoder nested last. It is finished when something follows it.
  private var last: ValueEncoder?
  /// The keys of a dictionary, and where each of its members begins in the text.
  private var members: [(key: String, start: Int)] = []
  private let isProbe: Bool
  private var keyType: ObjectIdentifier?

  // Paths appear only in errors, and those speak to the author of a type: they are not kept.
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ text: EncodedText, isProbe: Bool = false) {
    self.text = text
    self.isProbe = isProbe
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if content == .nothing {
      keyType = ObjectIdentifier(type)
      content = !isProbe && keyType == ValueEncoder.dictionaryKey ? .dictionary : .object
      text.writer.beginObject()
    }
    return KeyedEncodingContainer(MemberEncodingContainer<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if content == .nothing {
      content = .array
      text.writer.beginArray()
    }
    return ItemEncodingContainer(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { WholeEncodingContainer(encoder: self) }

  /// The text, at the value of the member of this name.
  func member(_ name: String) throws -> EncodedText {
    try finishNested()
    if content == .dictionary { members.append((name, text.writer.next)) }
    text.writer.key(name)
    return text
  }

  /// The text, at the next item.
  func item() throws -> EncodedText {
    try finishNested()
    itemCount += 1
    return text
  }

  /// The text, at the value that stands for the whole.
  func whole() throws -> EncodedText {
    try finishNested()
    content = .value
    return text
  }

  /// An encoder for a member, or for the next item where there is no name. Asked for when this value is finished
  /// already, it is finished too: who writes to it is told.
  func nested(_ name: String?) -> ValueEncoder {
    guard (try? name.map(member) ?? item()) != nil else {
      let late = ValueEncoder(EncodedText(.declared))
      late.finish()
      return late
    }
    let encoder = ValueEncoder(text)
    last = encoder
    return encoder
  }

  /// Ends what was begun. A type that encoded nothing is an empty object, as a synthesised one without members is.
  func finish() {
    last?.finish()
    last = nil
    guard !isFinished else { return }
    isFinished = true
    switch content {
    case .nothing:
      text.writer.beginObject()
      text.writer.endObject()
    case .object: text.writer.endObject()
    case .dictionary:
      text.writer.sortMembers(members)
      text.writer.endObject()
    case .array: text.writer.endArray()
    case .value: break
    }
  }

  private func finishNested() throws {
    guard !isFinished else {
      throw EncodingError.invalidValue(
        "", EncodingError.Context(codingPath: [], debugDescription: "something else was written in the meantime"))
    }
    last?.finish()
    last = nil
  }
}

/// The members of an object to be written.
struct MemberEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: ValueEncoder
  var codingPath: [any CodingKey] { [] }

  private func name(_ key: Key) -> String { encoder.text.spelling.name(key) }

  mutating func encodeNil(forKey key: Key) throws { try encoder.member(name(key)).writer.null() }

  // The scalars that there are most of; one generic method serves all others that the protocol lists.
  mutating func encode(_ value: String, forKey key: Key) throws {
    try encoder.member(name(key)).writer.string(value)
  }

  mutating func encode(_ value: Bool, forKey key: Key) throws {
    try encoder.member(name(key)).writer.bool(value)
  }

  mutating func encode(_ value: Int, forKey key: Key) throws {
    try encoder.member(name(key)).writer.integer(Int64(value))
  }

  mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    try encoder.member(name(key)).write(value)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    encoder.nested(name(key)).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder.nested(name(key)).unkeyedContainer()
  }

  mutating func superEncoder(forKey key: Key) -> any Encoder { encoder.nested(name(key)) }

  mutating func superEncoder() -> any Encoder { encoder }
}

/// The items of an array to be written.
struct ItemEncodingContainer: UnkeyedEncodingContainer {
  let encoder: ValueEncoder
  var codingPath: [any CodingKey] { [] }
  var count: Int { encoder.itemCount }

  mutating func encodeNil() throws { try encoder.item().writer.null() }
  mutating func encode<T: Encodable>(_ value: T) throws { try encoder.item().write(value) }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    encoder.nested(nil).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.nested(nil).unkeyedContainer() }
  mutating func superEncoder() -> any Encoder { encoder.nested(nil) }
}

/// One value to be written.
struct WholeEncodingContainer: SingleValueEncodingContainer {
  let encoder: ValueEncoder
  var codingPath: [any CodingKey] { [] }

  mutating func encodeNil() throws { try encoder.whole().writer.null() }
  mutating func encode<T: Encodable>(_ value: T) throws { try encoder.whole().write(value) }
}

extension JSONValue: Encodable {
  /// Writes the value as it is; only `JSONEncoding` can do that.
  package func encode(to encoder: any Encoder) throws {
    guard let encoder = encoder as? ValueEncoder else {
      throw EncodingError.invalidValue(
        kind, EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "encode with JSONEncoding"))
    }
    try encoder.whole().writer.value(self)
  }
}
