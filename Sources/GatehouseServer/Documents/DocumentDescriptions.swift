import GatehousePrimitives
import GatehouseWire

/// The public documents of a tenant, described with their fields for caches.
enum DocumentDescriptions {
  /// By path below the tenant's.
  static let all: [(path: String, item: JSONObject)] = PublicDocument.allCases.map { ($0.rawValue, item($0)) }

  private static func item(_ document: PublicDocument) -> JSONObject {
    var fields: JSONObject = ["ETag": field("Names this text")]
    fields["Cache-Control"] = field(document.cacheControl)
    if let vary = document.vary { fields["Vary"] = field(vary) }
    fields["Policy-Revision"] = field("The revision of the tenant's policy")
    var parameters = [asked("If-None-Match", "ETags of texts that the client has")]
    if let vary = document.vary { parameters.append(asked(vary, "The languages of messages, best first")) }
    var responses: JSONObject = [
      "200": .object([
        "description": .string(description(document)), "headers": .object(fields),
        "content": .object(["application/json": .object(["schema": schema(document)])]),
      ]),
      "304": .object([
        "description": .string("The client has this text: If-None-Match names it"), "headers": .object(fields),
      ]),
    ]
    for member in RefusalDescriptions.responses(Route.tenant).members { responses[member.key] = member.value }
    return [
      "get": .object([
        "summary": .string(summary(document)), "operationId": .string(name(document)), "security": .array([]),
        "parameters": .array(parameters), "responses": .object(responses),
      ])
    ]
  }

  private static func summary(_ document: PublicDocument) -> String {
    switch document {
    case .policy: "Read the public half of the policy"
    case .keys: "Read the keys that verify access tokens"
    }
  }

  private static func name(_ document: PublicDocument) -> String {
    switch document {
    case .policy: "get_v1_policy"
    case .keys: "get_jwks"
    }
  }

  private static func description(_ document: PublicDocument) -> String {
    switch document {
    case .policy: "All that a form needs to check itself as the server will"
    case .keys:
      "A JWK Set (RFC 7517). A new key is in it before a token is signed with it; retired keys stay while tokens live"
    }
  }

  private static func schema(_ document: PublicDocument) -> JSONValue {
    switch document {
    case .policy: Schema.ofAnswer(PublicPolicy.self)
    case .keys: keySet
    }
  }

  private static let keySet: JSONValue = {
    let members: [(String, JSONValue)] = [
      ("kty", constant("EC")), ("crv", constant("P-256")), ("x", text), ("y", text), ("kid", text),
      ("use", constant("sig")), ("alg", constant(Algorithm.es256.rawValue)),
    ]
    var properties = JSONObject()
    for (name, schema) in members { properties[name] = schema }
    let key = JSONValue.object([
      "type": .string("object"), "properties": .object(properties),
      "required": .array(members.map { .string($0.0) }),
    ])
    return .object([
      "type": .string("object"), "required": .array([.string("keys")]),
      "properties": .object(["keys": .object(["type": .string("array"), "items": key])]),
    ])
  }()

  private static let text = JSONValue.object(["type": .string("string")])

  private static func constant(_ value: String) -> JSONValue { .object(["const": .string(value)]) }

  private static func field(_ description: String) -> JSONValue {
    .object(["description": .string(description), "schema": text])
  }

  private static func asked(_ name: String, _ description: String) -> JSONValue {
    .object([
      "name": .string(name), "in": .string("header"), "required": .bool(false), "description": .string(description),
      "schema": text,
    ])
  }
}
