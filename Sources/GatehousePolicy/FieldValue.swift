/// A value of a profile field, as it comes in and as it is stored.
public enum FieldValue: Sendable, Hashable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case string(String)
  /// Something no field can hold (`"array"`, `"object"`, `"number"`): refused with `F.type`, never stored.
  case unsupported(String)

  /// Whether both are the same to the byte. `==` also takes canonically equivalent text for equal.
  public func isSame(as other: FieldValue) -> Bool {
    switch (self, other) {
    case (.string(let a), .string(let b)), (.unsupported(let a), .unsupported(let b)): Text.same(a, b)
    default: self == other
    }
  }

  /// The string, when it is one.
  public var string: String? { if case .string(let text) = self { text } else { nil } }
  /// The integer, when it is one.
  public var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
  /// The truth value, when it is one.
  public var boolean: Bool? { if case .boolean(let flag) = self { flag } else { nil } }
}

// Not by `nil`: a dictionary of values would keep `null` where it was meant to have no value.
extension FieldValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// An integer.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// A truth value.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension FieldValue: Codable {
  /// Never throws for well-formed JSON: what no field can hold is `.unsupported`.
  public init(from decoder: any Decoder) throws {
    if (try? decoder.container(keyedBy: AnyKey.self)) != nil { self = .unsupported("object"); return }
    if (try? decoder.unkeyedContainer()) != nil { self = .unsupported("array"); return }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() { self = .null; return }
    if let flag = try? container.decode(Bool.self) { self = .boolean(flag); return }
    if let number = try? container.decode(Int64.self) { self = .integer(number); return }
    if let text = try? container.decode(String.self) { self = .string(text); return }
    self = .unsupported("number")
  }

  /// Throws `EncodingError.invalidValue` for `.unsupported`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .boolean(let flag): try container.encode(flag)
    case .integer(let number): try container.encode(number)
    case .string(let text): try container.encode(text)
    case .unsupported(let kind):
      let context = EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "no field holds \(kind)")
      throw EncodingError.invalidValue(self, context)
    }
  }

  private struct AnyKey: CodingKey {
    let stringValue: String
    let intValue: Int? = nil
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
