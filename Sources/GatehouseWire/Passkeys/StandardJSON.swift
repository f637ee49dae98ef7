/// JSON that another standard spells: its names stay as they are, where the contract would write `raw_id` for `rawId`.
package indirect enum StandardJSON: Codable, Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case text(String)
  case list([StandardJSON])
  case members([String: StandardJSON])

  package init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let truth = try? value.decode(Bool.self) {
      self = .boolean(truth)
    } else if let number = try? value.decode(Int64.self) {
      self = .integer(number)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let items = try? value.decode([StandardJSON].self) {
      self = .list(items)
    } else {
      self = .members(try value.decode([String: StandardJSON].self))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .null: try value.encodeNil()
    case .boolean(let truth): try value.encode(truth)
    case .integer(let number): try value.encode(number)
    case .text(let text): try value.encode(text)
    case .list(let items): try value.encode(items)
    case .members(let members): try value.encode(members)
    }
  }

  package subscript(name: String) -> StandardJSON? {
    if case .members(let members) = self { members[name] } else { nil }
  }

  var text: String? { if case .text(let text) = self { text } else { nil } }
  var items: [StandardJSON]? { if case .list(let items) = self { items } else { nil } }
  var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
  /// The bytes of a text in base64url.
  var bytes: [UInt8]? { text.flatMap(Base64Text.bytes) }

  static func bytes(_ bytes: [UInt8]) -> StandardJSON { .text(Base64Text.text(of: bytes)) }

  /// An object of these members, without those that are nil.
  static func object(_ members: KeyValuePairs<String, StandardJSON?>) -> StandardJSON {
    .members(members.reduce(into: [:]) { $0[$1.key] = $1.value })
  }
}

/// A type of another standard.
package protocol StandardCodable: Codable, Hashable, Sendable {
  /// Nil for what is not of the standard's form. Members that this type does not know are no matter.
  init?(_ json: StandardJSON)
  var json: StandardJSON { get }
}

extension StandardCodable {
  package init(from decoder: any Decoder) throws {
    guard let value = Self(try StandardJSON(from: decoder)) else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "not of the standard's form"))
    }
    self = value
  }

  package func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}
