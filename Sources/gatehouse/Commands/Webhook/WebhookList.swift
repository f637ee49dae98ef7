import GatehouseAdminWire
import GatehouseWire

/// `gatehouse webhook list`.
enum WebhookList {
  static let command = Command(
    "webhook", "list", summary: "List an app's webhooks, and whether they answer",
    arguments: [OperatorCommand.tenant],
    examples: [
      Example("gatehouse webhook list dd-ride", "oldest first"),
      Example("gatehouse webhook list dd-ride --output json", "for a script"),
      Example("gatehouse webhook list vibes", "of another app"),
    ], exits: [.notFound: "no such tenant", .unavailable: "the database failed"], prints: true, settings: .backend,
    run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let tenant = try invocation.argument(OperatorCommand.tenant.name)
    return try await OperatorCommand.backend(invocation) { backend in
      let rows = try await backend.send(ListWebhooksOperation.self, .init(tenant: tenant)).items.map { endpoint in
        [
          Cell.text(endpoint.id), .text(endpoint.url), .list(endpoint.events.map(Cell.text)), .text(endpoint.state),
          .integer(endpoint.waiting), endpoint.lastError.map(Cell.text) ?? .none,
        ]
      }
      let columns = [
        Table.Column("id", "webhook"), Table.Column("url", "URL"), Table.Column("events", "events"),
        Table.Column("state", "state"), Table.Column("waiting", "waiting"), Table.Column("last_error", "last error"),
      ]
      try invocation.print(Table(kind: "webhook.list", columns: columns, rows: rows, whenEmpty: "no webhooks"))
      return .ok
    }
  }
}
