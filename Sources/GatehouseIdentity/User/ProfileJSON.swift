package import GatehousePolicy
package import GatehousePrimitives

extension JSONValue {
  /// A profile value as JSON.
  package init(_ value: FieldValue) {
    switch value {
    case .boolean(let flag): self = .bool(flag)
    case .integer(let number): self = .integer(number)
    case .string(let text): self = .string(text)
    case .null, .unsupported: self = .null
    }
  }
}

extension FieldValue: WholeJSON {
  /// A profile value from JSON. A value that no field holds stays `unsupported`, and is refused by the field's type.
  package init(_ value: JSONValue) {
    switch value {
    case .null: self = .null
    case .bool(let flag): self = .boolean(flag)
    case .integer(let number): self = .integer(number)
    case .string(let text): self = .string(text)
    case .number, .array, .object: self = .unsupported(value.kind)
    }
  }
}
