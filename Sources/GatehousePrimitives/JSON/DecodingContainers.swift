/// The members of an object, for a type that knows their names. Remembers in its decoder which were asked for.
struct MemberContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: ValueDecoder
  let object: JSONObject

  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { object.members.compactMap { Key(stringValue: $0.key) } }

  private func name(_ key: Key) -> String { decoder.findings.spelling.name(key) }

  private func find(_ name: String) -> JSONValue? {
    let index = object.index(of: name)
    decoder.ask(for: name, at: index)
    return index.map { object.members[$0].value }
  }

  private func child(_ key: Key) throws -> ValueDecoder {
    let name = name(key)
    guard let value = find(name) else { throw decoder.missing(name, in: object) }
    return decoder.inside(.key(name), value)
  }

  func contains(_ key: Key) -> Bool { find(name(key)) != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try child(key).value == .null }

  // One generic method serves every scalar that the protocol lists.
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try child(key).decodeAny(type) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try decoder.adopt(child(key)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder.adopt(child(key)).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { decoder }
  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder.adopt(child(key)) }
}

/// The items of an array, one after the other.
struct ItemContainer: UnkeyedDecodingContainer {
  let decoder: ValueDecoder
  let items: [JSONValue]
  private(set) var currentIndex = 0

  init(decoder: ValueDecoder, items: [JSONValue]) {
    self.decoder = decoder
    self.items = items
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { items.count }
  var isAtEnd: Bool { currentIndex >= items.count }

  private mutating func next() throws -> ValueDecoder {
    guard currentIndex < items.count else { throw decoder.problem("has fewer items than needed") }
    let child = decoder.inside(.index(currentIndex), items[currentIndex])
    currentIndex += 1
    decoder.itemsTaken = max(decoder.itemsTaken, currentIndex)
    return child
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, items[currentIndex] == .null else { return false }
    _ = try next()
    return true
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try next().decodeAny(type) }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try decoder.adopt(next()).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try decoder.adopt(next()).unkeyedContainer()
  }
  mutating func superDecoder() throws -> any Decoder { try decoder.adopt(next()) }
}

/// The whole value at once.
struct WholeContainer: SingleValueDecodingContainer {
  let decoder: ValueDecoder

  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool {
    guard decoder.value == .null else { return false }
    decoder.markRead()
    return true
  }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    // A fresh decoder on the same value: it checks for unread names by itself, and a failed attempt leaves no trace.
    let result = try ValueDecoder(decoder.value, at: decoder.path, findings: decoder.findings).decodeAny(type)
    decoder.markRead()
    return result
  }
}

extension ValueDecoder {
  /// A scalar directly, anything else through its own `init(from:)`.
  func decodeAny<T: Decodable>(_ type: T.Type) throws -> T {
    try scalar(type) ?? decodeWhole(type)
  }

  /// The value as a scalar type; `nil` when `T` is none of the standard library's.
  private func scalar<T>(_ type: T.Type) throws -> T? {
    if type == String.self {
      guard case .string(let text) = value else { throw problem("must be a string, not \(value.kind)") }
      return text as? T
    }
    if type == Bool.self {
      guard case .bool(let truth) = value else { throw problem("must be true or false, not \(value.kind)") }
      return truth as? T
    }
    if let integer = type as? any FixedWidthInteger.Type { return try whole(integer) as? T }
    if type == Double.self { return try real() as? T }
    if type == Float.self {
      guard let number = Float(exactly: try real()) else { throw problem("is not a number this precise") }
      return number as? T
    }
    return nil
  }

  private func whole<N: FixedWidthInteger>(_ type: N.Type) throws -> N {
    switch value {
    case .integer(let number):
      guard let exact = N(exactly: number) else { throw problem("is out of range") }
      return exact
    case .number(let text):
      // Too large for Int64, yet perhaps not for UInt64; a fraction or exponent is never a whole number here.
      guard let exact = N(text) else { throw problem("must be a whole number in range") }
      return exact
    default: throw problem("must be a whole number, not \(value.kind)")
    }
  }

  private func real() throws -> Double {
    let number: Double? =
      switch value {
      case .integer(let whole): Double(whole)
      case .number(let text): Double(text)
      default: throw problem("must be a number, not \(value.kind)")
      }
    guard let number, number.isFinite else { throw problem("is out of range") }
    return number
  }
}

extension JSONValue: Decodable {
  /// Takes the value as it is; only `StrictDecoder` can do that.
  package init(from decoder: any Decoder) throws {
    guard let decoder = decoder as? ValueDecoder else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "decode with StrictDecoder"))
    }
    decoder.markRead()
    self = decoder.value
  }
}
