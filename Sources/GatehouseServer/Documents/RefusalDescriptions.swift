import GatehousePrimitives
import GatehouseWire

/// The refusals of an operation, described: a response for each status, which lists the codes with their meaning.
enum RefusalDescriptions {
  /// By status, and `default` for what a newer server adds.
  static func responses(_ codes: [ErrorCode]) -> JSONObject {
    var responses = JSONObject()
    for (status, codes) in Dictionary(grouping: codes, by: \.status).sorted(by: { $0.key < $1.key }) {
      responses[String(status)] = response(codes)
    }
    responses["default"] = .object([
      "description": .string("Refused before the operation was known, or with a code of a newer server"),
      "content": content(problem),
    ])
    return responses
  }

  /// The codes that operations do not list, because a client meets them at every path.
  static let elsewhere: String = {
    let codes: [ErrorCode] = [
      .notFound, .methodNotAllowed, .requestTimeout, .uriTooLong, .expectationFailed, .headerFieldsTooLarge,
      .notImplemented, .httpVersionNotSupported,
    ]
    return
      "Every refusal is a problem document (RFC 9457) whose `code` is stable. Each operation lists its codes by status. "
      + "New codes are added: a client treats a code that it does not know by its status.\n\n"
      + "Before an operation is known, a request can be refused with:\n\n" + list(codes)
  }()

  private static func response(_ codes: [ErrorCode]) -> JSONValue {
    .object([
      "description": .string(list(codes)),
      "content": content(
        .object([
          "allOf": .array([
            problem,
            .object([
              "properties": .object([
                "code": .object(["enum": .array(codes.map { .string($0.rawValue) })])
              ])
            ]),
          ])
        ])),
    ])
  }

  private static func list(_ codes: [ErrorCode]) -> String {
    codes.map { "- `\($0.rawValue)`: \($0.meaning)" }.joined(separator: "\n")
  }

  private static let problem = JSONValue.object(["$ref": .string("#/components/schemas/Problem")])

  private static func content(_ schema: JSONValue) -> JSONValue {
    .object(["application/problem+json": .object(["schema": schema])])
  }
}
