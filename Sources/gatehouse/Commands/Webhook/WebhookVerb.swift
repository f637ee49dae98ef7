import GatehouseIdentity
import GatehouseOutbound
import GatehouseRuntime
import GatehouseAdminWire
import GatehouseWire

/// The common parts of the commands about webhooks.
enum WebhookVerb {
  static let webhook = Argument("WEBHOOK", "the webhook's id, its beginning, or its URL")

  static let exits: KeyValuePairs<Exit, String> = [
    .no: "it is refused", .notFound: "no such tenant or webhook", .unavailable: "the database failed",
  ]

  /// Finds the webhook that the command names.
  static func run(
    _ invocation: Invocation, _ body: (OperatorBackend, _ tenant: String, WebhookSummary) async throws -> Exit
  ) async throws -> Exit {
    let tenant = try invocation.argument(OperatorCommand.tenant.name)
    let name = try invocation.argument(webhook.name)
    return try await OperatorCommand.backend(invocation) { backend in
      let found = try await backend.send(ShowWebhookOperation.self, .init(tenant: tenant, webhook: name))
      return try await body(backend, tenant, found)
    }
  }

  /// An endpoint as people and scripts see it. The secret only where it was just made.
  static func record(_ endpoint: WebhookSummary, secret: String? = nil, withWaiting: Bool = false) -> Record {
    var fields: [(key: String, title: String, value: Cell)] = [
      ("id", "webhook", .text(endpoint.id)), ("url", "URL", .text(endpoint.url)),
      ("events", "events", .list(endpoint.events.map(Cell.text))),
      ("fields", "fields", .list(endpoint.fields.map(Cell.text))),
    ]
    if let secret { fields.append(("secret", "secret", .text(secret))) }
    fields += [
      ("state", "state", .text(endpoint.state)), ("created_at", "created", UserVerb.time(endpoint.createdAt)),
      ("last_success_at", "last delivery", endpoint.lastSuccessAt.map(UserVerb.time) ?? .none),
      ("failing_since", "fails since", endpoint.failingSince.map(UserVerb.time) ?? .none),
      ("last_error", "last error", endpoint.lastError.map(Cell.text) ?? .none),
    ]
    if withWaiting { fields.append(("waiting", "waiting", .integer(endpoint.waiting))) }
    return Record("webhook", fields)
  }
}
