import GatehousePolicy

/// JSON Schema (2020-12) of a shape, for editors. It says what a schema can say; `policy check` says the rest.
struct JSONSchema {
  /// The schema of a whole document, as UTF-8 JSON with keys in reading order.
  static func document(_ shape: MapShape, id: String, title: String) -> [UInt8] {
    var members: [(String, JSONText)] = [
      ("$schema", .string("https://json-schema.org/draft/2020-12/schema")), ("$id", .string(id)),
      ("title", .string(title)),
    ]
    if case .object(let rest) = schema(.map(shape)) { members += rest }
    return Array((JSONText.object(members).text(indent: 2) + "\n").utf8)
  }

  static func schema(_ shape: Shape) -> JSONText {
    switch shape {
    case .text(let form): return text(form)
    case .integer(let range):
      return .object([
        ("type", .string("integer")), ("minimum", .integer(range.lowerBound)), ("maximum", .integer(range.upperBound)),
      ])
    case .boolean: return .object([("type", .string("boolean"))])
    case .duration: return pattern("^[0-9]{1,9}[smhd]$")
    case .limit: return pattern("^[0-9]{1,9}/[0-9]{1,9}[smhd]$")
    case .date: return pattern("^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$")
    case .choice(let words): return .object([("enum", .array(words.map { .string($0) }))])
    case .list(let member, let count):
      var members: [(String, JSONText)] = [
        ("type", .string("array")), ("items", schema(member)), ("minItems", .integer(Int64(count.lowerBound))),
        ("maxItems", .integer(Int64(count.upperBound))),
      ]
      if case .any = member {} else { members.append(("uniqueItems", .boolean(true))) }
      return .object(members)
    case .map(let map): return object(map)
    case .dictionary(let dictionary): return object(dictionary)
    case .either(let shapes): return .object([("anyOf", .array(shapes.map(schema)))])
    case .secret: return object(Forms.secretReference)
    case .any: return .object([])
    }
  }

  private static func pattern(_ pattern: String) -> JSONText {
    .object([("type", .string("string")), ("pattern", .string(pattern))])
  }

  /// YAML editors read an unquoted `2027` or `true` as a number or a truth value; a text key takes those as well.
  private static func text(_ form: TextForm) -> JSONText {
    var members: [(String, JSONText)] = [
      ("type", .array([.string("string"), .string("number"), .string("boolean")])),
      ("minLength", .integer(Int64(form.lengths.lowerBound))), ("maxLength", .integer(Int64(form.lengths.upperBound))),
    ]
    if let pattern = form.pattern { members.append(("pattern", .string(pattern))) }
    return .object(members)
  }

  private static func object(_ map: MapShape) -> JSONText {
    let keys = map.keys.filter(\.isAvailable)
    let properties = keys.map { key -> (String, JSONText) in
      guard case .object(let members) = schema(key.shape) else { return (key.name, .object([])) }
      return (key.name, .object([("description", .string(key.summary))] + members))
    }
    var members: [(String, JSONText)] = [
      ("type", .string("object")), ("properties", .object(properties)), ("additionalProperties", .boolean(false)),
    ]
    let required = keys.filter(\.isRequired).map { JSONText.string($0.name) }
    if !required.isEmpty { members.append(("required", .array(required))) }
    if !map.exactlyOne.isEmpty {
      members.append(("oneOf", .array(map.exactlyOne.map { .object([("required", .array([.string($0)]))]) })))
    }
    if map.key("enforce") != nil, map.key("enforce_from") != nil {
      // A date needs a stage that ends with it.
      let warns: JSONText = .object([
        ("required", .array([.string("enforce")])),
        ("properties", .object([("enforce", .object([("const", .string(Enforce.warn.rawValue))]))])),
      ])
      members.append(("dependentSchemas", .object([("enforce_from", warns)])))
    }
    return .object(members)
  }

  private static func object(_ dictionary: DictionaryShape) -> JSONText {
    var members: [(String, JSONText)] = [
      ("type", .string("object")), ("additionalProperties", schema(dictionary.value)),
      ("minProperties", .integer(Int64(dictionary.count.lowerBound))),
      ("maxProperties", .integer(Int64(dictionary.count.upperBound))),
    ]
    if let pattern = dictionary.names.pattern {
      members.append(("propertyNames", .object([("pattern", .string(pattern))])))
    }
    return .object(members)
  }
}
