/// A JSON value (RFC 8259) that loses nothing: members keep their order, numbers outside `Int64` keep their text.
package indirect enum JSONValue: Sendable {
  case null
  case bool(Bool)
  /// A number written without fraction and exponent that fits.
  case integer(Int64)
  /// Any other number, as it was written: a valid JSON number, never interpreted on reading.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)

  /// The member of this name, when this is an object that has one.
  package subscript(_ key: String) -> JSONValue? {
    if case .object(let object) = self { object[key] } else { nil }
  }

  /// The text, when this is a string.
  package var string: String? { if case .string(let text) = self { text } else { nil } }
  /// The number, when this is an integer.
  package var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
  /// The largest whole number that is not larger, when this is a number in the range of `Int64`.
  package var wholeNumber: Int64? {
    switch self {
    case .integer(let number): number
    case .number(let text): Double(text).flatMap { Int64(exactly: $0.rounded(.down)) }
    default: nil
    }
  }
  /// The truth value, when this is one.
  package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The items, when this is an array.
  package var array: [JSONValue]? { if case .array(let items) = self { items } else { nil } }
  /// The members, when this is an object.
  package var object: JSONObject? { if case .object(let object) = self { object } else { nil } }

  /// The kind of the value, in words for messages.
  package var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .integer, .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// The members of a JSON object in the order they were written; no name occurs twice.
package struct JSONObject: Sendable {
  /// One name and its value.
  package struct Member: Sendable {
    package let key: String
    package let value: JSONValue

    package init(key: String, value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// In the order they were written.
  package private(set) var members: [Member]
  private var indices: MemberIndex?

  /// An object without members.
  package init() { members = [] }

  /// INVARIANT: the caller has checked that no name occurs twice.
  init(distinct members: [Member]) {
    self.members = members
    indices = MemberIndex(members)
  }

  /// The value under this name. Names are compared as UTF-8 bytes, never by canonical equivalence.
  package subscript(_ key: String) -> JSONValue? {
    get { index(of: key).map { members[$0].value } }
    set {
      switch (index(of: key), newValue) {
      case (let index?, let value?): members[index] = Member(key: key, value: value)
      case (let index?, nil):
        members.remove(at: index)
        indices = MemberIndex(members)
      case (nil, let value?):
        members.append(Member(key: key, value: value))
        if indices == nil { indices = MemberIndex(members) } else { indices?.append(key, at: members.count - 1) }
      case (nil, nil): break
      }
    }
  }

  func index(of key: String) -> Int? {
    // GUARD: json: a member of a large object is found in one step
    if let indices { return indices[key] }
    return members.firstIndex {
      noteComparison()
      return $0.key.utf8.elementsEqual(key.utf8)
    }
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// An object of these members. Of members with the same name the last one stays, at the place of the first.
  package init(dictionaryLiteral members: (String, JSONValue)...) {
    self.init()
    for (key, value) in members { self[key] = value }
  }
}

extension JSONValue: Equatable {
  /// Same structure, same order of members, same bytes in every text.
  package static func == (one: JSONValue, other: JSONValue) -> Bool {
    switch (one, other) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.number(let a), .number(let b)), (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
    case (.array(let a), .array(let b)): a == b
    case (.object(let a), .object(let b)):
      a.members.count == b.members.count
        && zip(a.members, b.members).allSatisfy { $0.key.utf8.elementsEqual($1.key.utf8) && $0.value == $1.value }
    default: false
    }
  }
}
