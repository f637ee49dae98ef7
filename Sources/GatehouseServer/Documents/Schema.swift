import GatehousePolicy
import GatehousePrimitives
import GatehouseAdminWire
import GatehouseWire

/// JSON Schemas of the contract's types, found by decoding each type from nothing and watching what it asks for: the
/// schema is what the decoder does, so that the two cannot disagree.
enum Schema {
  static func of(_ type: any Decodable.Type) -> JSONValue {
    if let known = known(type) { return known }
    let watcher = SchemaWatcher()
    _ = try? type.init(from: watcher)
    return watcher.finding
  }

  /// The schema of an answer. A later version adds members, so that none of its objects is closed. A request stays
  /// closed: the server refuses what it does not know.
  static func ofAnswer(_ type: any Decodable.Type) -> JSONValue { opened(of(type)) }

  private static func opened(_ schema: JSONValue) -> JSONValue {
    if let list = schema.array { return .array(list.map(opened)) }
    guard let object = schema.object else { return schema }
    var open = JSONObject()
    for member in object.members where member.key != "additionalProperties" || member.value != .bool(false) {
      open[member.key] = opened(member.value)
    }
    return .object(open)
  }

  /// An object's schema without some properties; nil when nothing remains.
  static func removing(_ names: [String], from schema: JSONValue) -> JSONValue? {
    guard var object = schema.object, let properties = object["properties"]?.object else { return nil }
    var kept = JSONObject()
    for member in properties.members where !names.contains(member.key) { kept[member.key] = member.value }
    guard !kept.members.isEmpty else { return nil }
    object["properties"] = .object(kept)
    if let required = object["required"]?.array {
      let left = required.filter { !names.contains($0.string ?? "") }
      object["required"] = left.isEmpty ? nil : .array(left)
    }
    return .object(object)
  }

  /// Types that are one value, or have several shapes.
  static func known(_ type: any Decodable.Type) -> JSONValue? {
    switch type {
    case is String.Type: word("string")
    case is Bool.Type: word("boolean")
    case is Int.Type, is Int64.Type: word("integer")
    case is Timestamp.Type: .object(["type": .string("string"), "format": .string("date-time")])
    case is FieldValue.Type:
      .object(["type": .array(["string", "integer", "boolean", "null"].map { .string($0) })])
    case is ParameterValue.Type:
      .object(["type": .array(["string", "integer", "boolean", "array"].map { .string($0) })])
    // Codes are appended: a client must take one that is not in the list.
    case is ProblemCode.Type:
      .object(["anyOf": .array([word("string", among: ErrorCode.allCases.map(\.rawValue)), word("string")])])
    case is AdminScope.Type:
      word("string", among: AdminScope.allCases.map(\.rawValue))
    case is DataExport.Type: export
    // The second has all members of the first: both describe it.
    case is UserView.Type: .object(["anyOf": .array([of(PublicUser.self), of(User.self)])])
    // Types of WebAuthn, whose members its specification names.
    case is any StandardCodable.Type: .object(["type": .string("object"), "additionalProperties": .bool(true)])
    // So are these words; the list of a version is not said.
    case is any AnyOpenWord.Type: word("string")
    default: (type as? any SchemaList.Type)?.schema
    }
  }

  /// The facts, the lists that are described, and lists of plain values under any other name.
  private static var export: JSONValue {
    guard var object = of(DataExport.Facts.self).object, var properties = object["properties"]?.object else {
      return word("object")
    }
    var required = object["required"]?.array ?? []
    for (list, row) in ExportedRows.all {
      properties[list] = .object(["type": .string("array"), "items": of(row)])
      required.append(.string(list))
    }
    object["properties"] = .object(properties)
    object["required"] = .array(required)
    object["additionalProperties"] = .object([
      "type": .string("array"),
      "items": .object(["type": .string("object"), "additionalProperties": of(FieldValue.self)]),
    ])
    return .object(object)
  }

  private static func word(_ type: String) -> JSONValue { .object(["type": .string(type)]) }

  private static func word(_ type: String, among values: [String]) -> JSONValue {
    .object(["type": .string(type), "enum": .array(values.map { .string($0) })])
  }
}

/// Collections, whose element type the decoder could not see without an element.
private protocol SchemaList { static var schema: JSONValue { get } }

extension Array: SchemaList where Element: Decodable {
  fileprivate static var schema: JSONValue {
    .object(["type": .string("array"), "items": Schema.of(Element.self)])
  }
}

extension Dictionary: SchemaList where Key == String, Value: Decodable {
  fileprivate static var schema: JSONValue {
    .object(["type": .string("object"), "additionalProperties": Schema.of(Value.self)])
  }
}

/// A decoder without a value: it notes each name that is asked for, and whether it may be missing.
private final class SchemaWatcher: Decoder {
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]
  private var properties = JSONObject()
  private var required: [JSONValue] = []

  var finding: JSONValue {
    var object: JSONObject = ["type": .string("object")]
    if !properties.members.isEmpty { object["properties"] = .object(properties) }
    if !required.isEmpty { object["required"] = .array(required) }
    object["additionalProperties"] = .bool(false)
    return .object(object)
  }

  func note(_ name: String, _ type: any Decodable.Type, isRequired: Bool) {
    properties[name] = Schema.of(type)
    if isRequired { required.append(.string(name)) }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Watched<Key>(watcher: self))
  }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Unwatched() }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Unwatched() }

  /// A value that the watcher cannot make up: the type's schema must be among the known ones.
  struct Unwatched: Error {}

  private struct Watched<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let watcher: SchemaWatcher
    let codingPath: [any CodingKey] = []
    let allKeys: [Key] = []

    func contains(_ key: Key) -> Bool { true }
    func decodeNil(forKey key: Key) -> Bool { false }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
      watcher.note(ContractJSON.spelled(key.stringValue), type, isRequired: true)
      return try Blank.value(type)
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
      watcher.note(ContractJSON.spelled(key.stringValue), type, isRequired: false)
      return nil
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try present(type, key) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try present(type, key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try present(type, key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try present(type, key) }

    private func present<T: Decodable>(_ type: T.Type, _ key: Key) throws -> T? {
      watcher.note(ContractJSON.spelled(key.stringValue), type, isRequired: false)
      return nil
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws
      -> KeyedDecodingContainer<Nested>
    { throw Unwatched() }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw Unwatched() }
    func superDecoder() throws -> any Decoder { throw Unwatched() }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw Unwatched() }
  }
}

/// A value of a type, of no meaning, so that decoding goes on to the next name.
private enum Blank {
  static func value<T: Decodable>(_ type: T.Type) throws -> T {
    let candidates: [Any] =
      [
        "", false, 0, Int64(0), Timestamp(seconds: 0), FieldValue.null, ProblemCode(.internal), AdminScope.auditRead,
        [String](),
      ] + passkeys
    if let value = candidates.lazy.compactMap({ $0 as? T }).first { return value }
    if let word = type as? any AnyOpenWord.Type, let value = word.init(rawValue: "") as? T { return value }
    for source in ["{}", "[]"] {
      if let value = try? StrictDecoder.decode(type, from: Array(source.utf8)) { return value }
    }
    return try type.init(from: BlankDecoder())
  }

  /// Types of WebAuthn.
  private static let passkeys: [any Sendable] = [
    RequestOptions(rpID: "", challenge: [], timeout: 0, allowed: [], verification: ""),
    CreationOptions(
      rpID: "", rpName: "", userID: [], userName: "", displayName: "", challenge: [], algorithms: [], timeout: 0,
      excluded: [], verification: "", attestation: ""),
    AuthenticationAnswer(id: [], clientData: [], authenticatorData: [], signature: [], userHandle: nil),
    RegistrationAnswer(id: [], clientData: [], attestationObject: []),
  ]

  /// Answers every name with a blank.
  private struct BlankDecoder: Decoder {
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]
    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
      KeyedDecodingContainer(BlankContainer<Key>())
    }
    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw SchemaWatcher.Unwatched() }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw SchemaWatcher.Unwatched() }
  }

  private struct BlankContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let codingPath: [any CodingKey] = []
    let allKeys: [Key] = []
    func contains(_ key: Key) -> Bool { true }
    func decodeNil(forKey key: Key) -> Bool { true }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try Blank.value(type) }
    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws
      -> KeyedDecodingContainer<Nested>
    { throw SchemaWatcher.Unwatched() }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      throw SchemaWatcher.Unwatched()
    }
    func superDecoder() throws -> any Decoder { throw SchemaWatcher.Unwatched() }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw SchemaWatcher.Unwatched() }
  }
}
