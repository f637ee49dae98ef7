package import GatehousePrimitives
import GatehouseWire

/// The API's description (OpenAPI 3.1), made from the route table and the types of input and output themselves.
package enum OpenAPI {
  package static func document(_ publicURL: String) -> JSONValue {
    var paths = JSONObject()
    for route in Routes.all {
      let path = "/t/{tenant}" + route.path
      var item = paths[path]?.object ?? ["parameters": .array([tenantParameter])]
      item[route.method.rawValue.lowercased()] = operation(route)
      paths[path] = .object(item)
    }
    for (path, var item) in DocumentDescriptions.all + LandingDescriptions.all {
      item["parameters"] = .array([tenantParameter])
      paths["/t/{tenant}" + path] = .object(item)
    }
    return .object([
      "openapi": .string("3.1.0"),
      "info": .object([
        "title": .string("Gatehouse"), "version": .string("1"),
        "summary": .string("Sign-up, sign-in and sessions for many apps, each by its own policy"),
        "description": .string(RefusalDescriptions.elsewhere),
      ]),
      "servers": .array([.object(["url": .string(publicURL)])]), "paths": .object(paths),
      "webhooks": WebhookDescriptions.all,
      "components": .object([
        "securitySchemes": .object([
          "access_token": .object([
            "type": .string("http"), "scheme": .string("bearer"), "bearerFormat": .string("JWT"),
          ])
        ]),
        "schemas": .object(["Problem": Schema.ofAnswer(Problem.self)]),
      ]),
    ])
  }

  private static let tenantParameter = JSONValue.object([
    "name": .string("tenant"), "in": .string("path"), "required": .bool(true),
    "schema": .object(["type": .string("string")]),
  ])

  private static let idempotencyKey = keyParameter(
    "The answer is kept for 24 hours: the same body under the same key gets it again, with Idempotency-Replayed: true")

  private static let retryKey = keyParameter(
    "Makes the exchange of the refresh token repeatable: the same token under the same key gets the same successor with a fresh access "
      + "token, however late, while that successor is unspent and the session lives. One key for each exchange, kept until its answer"
  )

  private static func keyParameter(_ what: String) -> JSONValue {
    .object([
      "name": .string("Idempotency-Key"), "in": .string("header"), "required": .bool(false),
      "description": .string(what),
      "schema": .object([
        "type": .string("string"), "minLength": .integer(1), "maxLength": .integer(255),
        "pattern": .string("^[!-~]+$"),
      ]),
    ])
  }

  /// The fields of an attested request.
  private static let attestation: [JSONValue] = [
    (AttestGate.key, "The key's name"), (AttestGate.challenge, "A challenge, for this request alone"),
    (
      AttestGate.assertion,
      "The device's assertion over the SHA-256 of challenge, line feed, method, space, path below the tenant, line feed, "
        + "and the SHA-256 of the body"
    ),
  ].map { name, what in
    .object([
      "name": .string(name), "in": .string("header"), "required": .bool(false),
      "description": .string("\(what); demanded where the policy's attest: names the door"),
      "schema": .object(["type": .string("string")]),
    ])
  }

  private static func operation(_ route: Route) -> JSONValue {
    var operation: JSONObject = ["summary": .string(route.summary), "operationId": .string(name(route))]
    if let details = route.details { operation["description"] = .string(details) }
    let names = route.template.names
    let input = Schema.of(route.input)
    var parameters = names.map { parameter($0, in: "path") }
    if route.method == .get {
      let asked = input["properties"]?.object?.members.map(\.key).filter { !names.contains($0) } ?? []
      parameters += asked.map { parameter($0, in: "query") }
    } else if let body = Schema.removing(names, from: input) {
      operation["requestBody"] = .object(["content": .object(["application/json": .object(["schema": body])])])
    }
    if route.isIdempotent { parameters.append(idempotencyKey) }
    if route.takesRetryKey { parameters.append(retryKey) }
    if route.attests != nil { parameters += attestation }
    if !parameters.isEmpty { operation["parameters"] = .array(parameters) }
    switch route.auth {
    case .anonymous: operation["security"] = .array([])
    case .user: operation["security"] = .array([.object(["access_token": .array([])])])
    case .optional, .userOrExpired:
      operation["security"] = .array([.object(["access_token": .array([])]), .object([:])])
    }
    operation["responses"] = .object(responses(route))
    return .object(operation)
  }

  private static func responses(_ route: Route) -> JSONObject {
    var responses = JSONObject()
    for (status, output) in route.successes {
      var success: JSONObject = ["description": .string("Done")]
      if status != 204 {
        success["content"] = .object(["application/json": .object(["schema": Schema.ofAnswer(output)])])
      }
      responses[String(status)] = .object(success)
    }
    for member in RefusalDescriptions.responses(route.codes).members { responses[member.key] = member.value }
    return responses
  }

  private static func parameter(_ name: String, in place: String) -> JSONValue {
    .object([
      "name": .string(name), "in": .string(place), "required": .bool(place == "path"),
      "schema": .object(["type": .string("string")]),
    ])
  }

  /// `post_v1_sign-up`.
  private static func name(_ route: Route) -> String {
    route.method.rawValue.lowercased()
      + route.path.replacing("/", with: "_").replacing("{", with: "").replacing("}", with: "")
  }
}
