/// One value of CBOR (RFC 8949), of the kinds that attestations are made of.
package enum CBORValue: Sendable, Equatable {
  case unsigned(UInt64)
  /// The number is -1 minus this one (RFC 8949 section 3.1).
  case negative(UInt64)
  case bytes([UInt8])
  case text(String)
  case array([CBORValue])
  case map([CBORMember])
  case boolean(Bool)

  /// The bytes of a byte string.
  package var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }

  /// The members of a map.
  package var members: [CBORMember]? { if case .map(let members) = self { members } else { nil } }

  /// The number of an integer in the range of `Int`.
  package var integer: Int? {
    switch self {
    case .unsigned(let number): Int(exactly: number)
    case .negative(let number): Int(exactly: number).map { -1 - $0 }
    default: nil
    }
  }

  /// The items of an array.
  package var items: [CBORValue]? { if case .array(let items) = self { items } else { nil } }

  /// Whether the value is this text, byte for byte.
  package func isText(_ name: String) -> Bool {
    if case .text(let text) = self { text.utf8.elementsEqual(name.utf8) } else { false }
  }

  /// The value under a text in a map; no name is there twice.
  package subscript(name: String) -> CBORValue? {
    guard case .map(let members) = self else { return nil }
    return members.first { $0.key.isText(name) }?.value
  }

  /// The value under an integer in a map; no number is there twice.
  package subscript(number: Int) -> CBORValue? { members?.first { $0.key.integer == number }?.value }
}

/// One entry of a map; its key is an integer or a text.
package struct CBORMember: Sendable, Equatable {
  package let key: CBORValue
  package let value: CBORValue

  package init(key: CBORValue, value: CBORValue) {
    self.key = key
    self.value = value
  }
}

/// Why bytes are no CBOR value that is read here.
package struct CBORProblem: Error, Equatable, Sendable, CustomStringConvertible {
  /// The offset at which reading ended.
  package let at: Int
  package let reason: Reason

  package enum Reason: String, Sendable {
    case tooLarge = "larger than the limit"
    case tooDeep = "nested deeper than the limit"
    case truncated = "the input ends inside a value"
    case trailing = "bytes after the value"
    case indefinite = "an indefinite length"
    case notShortest = "a length or number that is not in its shortest form"
    case unsupported = "a tag, a simple value that is no truth value, or a floating-point number"
    case badText = "a text that is not UTF-8"
    case badKey = "a map key that is neither an integer nor a text"
    case duplicate = "a map key twice"
  }

  package var description: String { "\(reason.rawValue) at byte \(at)" }
}
