/// Makes any `Decodable` from JSON and lets nothing pass that the type did not ask for: unknown names, missing names
/// and wrong types are problems with their pointers. All unknown names of a document are reported, not only the first.
///
/// An object is known by the keys its type asks for. Dates are the business of the types: a `Date` is refused, a type
/// that reads RFC 3339 text from a single string works.
package enum StrictDecoder {
  /// The value of `type` in `bytes`.
  package static func decode<T: Decodable>(
    _ type: T.Type, from bytes: [UInt8], limits: JSONParser.Limits = JSONParser.Limits(),
    spelling: MemberSpelling = .declared
  ) throws(JSONProblems) -> T {
    let value: JSONValue
    do { value = try JSONParser.parse(bytes, limits: limits) } catch { throw JSONProblems([error]) }
    return try decode(type, from: value, spelling: spelling)
  }

  /// The value of `type` in `value`.
  package static func decode<T: Decodable>(
    _ type: T.Type, from value: JSONValue, spelling: MemberSpelling = .declared
  ) throws(JSONProblems) -> T {
    let findings = DecodingFindings(spelling)
    let result: T
    do {
      result = try ValueDecoder(value, at: JSONPath(), findings: findings).decodeWhole(type)
    } catch let problems as JSONProblems {
      throw problems
    } catch {
      throw JSONProblems([JSONProblem(pointer: "", reason: "not an allowed value")])
    }
    guard findings.unknown.isEmpty else { throw JSONProblems(findings.unknown) }
    return result
  }
}

/// Unknown names found in objects that were otherwise fine, and how names are spelled. Used by one decoding, on one
/// thread.
final class DecodingFindings {
  let spelling: MemberSpelling
  var unknown: [JSONProblem] = []

  init(_ spelling: MemberSpelling) { self.spelling = spelling }
}

/// The decoder standing on one value.
final class ValueDecoder: Decoder {
  let value: JSONValue
  let path: JSONPath
  let findings: DecodingFindings
  /// For an object: which of its members the type asked for, by place; `nil` until a container was opened.
  private var asked: [Bool]?
  /// Names the type asked for, for suggestions.
  private var wanted: [String] = []
  /// The type looked at this value in a way that leaves nothing unread.
  private var isRead = false

  var codingPath: [any CodingKey] { path.steps.map(PathKey.init) }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ value: JSONValue, at path: JSONPath, findings: DecodingFindings) {
    self.value = value
    self.path = path
    self.findings = findings
  }

  func problem(_ reason: String) -> JSONProblems {
    JSONProblems([JSONProblem(pointer: path.pointer, reason: reason)])
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let object) = value else { throw problem("must be an object, not \(value.kind)") }
    if asked == nil { asked = [Bool](repeating: false, count: object.members.count) }
    return KeyedDecodingContainer(MemberContainer(decoder: self, object: object))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let items) = value else { throw problem("must be an array, not \(value.kind)") }
    return ItemContainer(decoder: self, items: items)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { WholeContainer(decoder: self) }

  /// The type asked for this member.
  func ask(for name: String, at index: Int?) {
    if let index { asked?[index] = true }
    wanted.append(name)
  }

  /// This value was read by another decoder, or as a scalar.
  func markRead() { isRead = true }

  /// How many items of the array the type has taken.
  var itemsTaken = 0

  /// Parts that the type reads through nested containers; they are checked nowhere else.
  private var nested: [ValueDecoder] = []

  /// This part's names are checked together with this value's.
  func adopt(_ part: ValueDecoder) -> ValueDecoder {
    nested.append(part)
    return part
  }

  /// Decodes a whole value and then checks that nothing of it was left unread.
  func decodeWhole<T: Decodable>(_ type: T.Type) throws -> T {
    if type == JSONValue.self, let result = value as? T { return result }
    if let whole = type as? any WholeJSON.Type, let result = whole.init(value) as? T { return result }
    let mark = findings.unknown.count
    do {
      let result = try T(from: self)
      try checkEverythingWasRead()
      return result
    } catch {
      // A failed attempt may be one of several (`try?`): what it found must not stay behind, but go with its error.
      let found = Array(findings.unknown[mark...])
      findings.unknown.removeSubrange(mark...)
      throw JSONProblems(found + problems(in: error))
    }
  }

  private func checkEverythingWasRead() throws {
    guard !isRead else { return }
    for part in nested { try part.checkEverythingWasRead() }
    switch value {
    case .object(let object):
      for (index, member) in object.members.enumerated() where asked?[index] != true {
        var reason = "unknown key"
        if let near = Spelling.nearest(to: member.key, in: wanted) { reason += "; did you mean \"\(near)\"?" }
        findings.unknown.append(JSONProblem(pointer: path.appending(.key(member.key)).pointer, reason: reason))
      }
    case .array(let items):
      if itemsTaken < items.count { throw problem("has more than \(itemsTaken) items") }
    default: throw problem("must be an object, not \(value.kind)")
    }
  }

  private func problems(in error: any Error) -> [JSONProblem] {
    switch error {
    case let problems as JSONProblems: problems.problems
    case let problem as JSONProblem: [problem]
    // The text of a foreign error may quote the value; it is not passed on.
    default: [JSONProblem(pointer: path.pointer, reason: "not an allowed value")]
    }
  }

  /// A decoder for a part of this value.
  func inside(_ step: JSONPath.Step, _ value: JSONValue) -> ValueDecoder {
    ValueDecoder(value, at: path.appending(step), findings: findings)
  }

  /// The error for a name that is not there.
  func missing(_ name: String, in object: JSONObject) -> JSONProblems {
    let unused = object.members.enumerated().filter { asked?[$0.offset] != true }.map(\.element.key)
    var reason = "missing"
    if let near = Spelling.nearest(to: name, in: unused) { reason += "; is \"\(near)\" meant for it?" }
    return JSONProblems([JSONProblem(pointer: path.appending(.key(name)).pointer, reason: reason)])
  }
}

/// A step of a path as Swift's coding protocols want it.
struct PathKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(_ step: JSONPath.Step) {
    switch step {
    case .key(let key): (stringValue, intValue) = (key, nil)
    case .index(let index): (stringValue, intValue) = (String(index), index)
    }
  }

  init?(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
  init?(intValue: Int) { (stringValue, self.intValue) = (String(intValue), intValue) }
}

/// A type that takes any JSON value, and judges it later. Nothing of such a value is unknown or unread.
package protocol WholeJSON: Decodable {
  init(_ value: JSONValue)
}
