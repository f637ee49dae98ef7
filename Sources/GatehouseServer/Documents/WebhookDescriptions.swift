import GatehouseIdentity
import GatehousePrimitives

/// The messages to webhooks, as the API's description names them (OpenAPI 3.1, `webhooks`): made from the table of
/// events.
enum WebhookDescriptions {
  static let all: JSONValue = {
    var events = JSONObject()
    for event in WebhookEvent.allCases { events[event.rawValue] = .object(["post": post(event)]) }
    return .object(events)
  }()

  private static func post(_ event: WebhookEvent) -> JSONValue {
    .object([
      "summary": .string("Signed as Standard Webhooks says; at least once, under the same webhook-id"),
      "operationId": .string("webhook_\(event.rawValue)"), "security": .array([]),
      "parameters": .array([
        header("webhook-id", "The message's id, the same at every try"),
        header("webhook-timestamp", "Seconds since 1970, when it was signed"),
        header(
          "webhook-signature",
          "v1, and base64 of HMAC-SHA256 over id.timestamp.body; two with a space while a secret changes"),
      ]),
      "requestBody": .object(["content": .object(["application/json": .object(["schema": message(event)])])]),
      "responses": .object([
        "2XX": .object(["description": .string("Taken")]),
        "410": .object(["description": .string("Wants no more: the webhook is switched off")]),
        "default": .object(["description": .string("Tried again for three days")]),
      ]),
    ])
  }

  private static func header(_ name: String, _ description: String) -> JSONValue {
    .object([
      "name": .string(name), "in": .string("header"), "required": .bool(true), "description": .string(description),
      "schema": text,
    ])
  }

  private static func message(_ event: WebhookEvent) -> JSONValue {
    var data: JSONObject = ["tenant": text]
    if event == .policyApplied {
      data["policy"] = object(["revision": .object(["type": .string("integer")])])
    } else {
      // The id and the fields that the webhook was made with.
      data["user"] = .object([
        "type": .string("object"), "required": .array([.string("id")]), "properties": .object(["id": text]),
      ])
    }
    return object([
      "type": .object(["const": .string(event.rawValue)]),
      "timestamp": .object(["type": .string("string"), "format": .string("date-time")]), "data": object(data),
    ])
  }

  private static let text = JSONValue.object(["type": .string("string")])

  private static func object(_ properties: JSONObject) -> JSONValue {
    .object([
      "type": .string("object"), "properties": .object(properties),
      "required": .array(properties.members.map { .string($0.key) }),
    ])
  }
}
