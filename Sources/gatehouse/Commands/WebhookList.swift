import GatehouseIdentity

/// `gatehouse webhook list`.
enum WebhookList {
  static let command = Command(
    "webhook", "list", summary: "List whom an app tells what happens, and whether they listen",
    arguments: [OperatorCommand.tenant],
    examples: [
      Example("gatehouse webhook list dd-ride", "oldest first"),
      Example("gatehouse webhook list dd-ride --output json", "for a script"),
      Example("gatehouse webhook list vibes", "of another app"),
    ], exits: [.notFound: "no such tenant", .unavailable: "the database failed"], prints: true, settings: .store,
    run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.run(invocation) { services, tenant, _ in
      let store = services.store.open(tenant.id)
      let waiting = try await store.webhookBacklog()
      let rows = try await store.webhooks().map { endpoint in
        [
          Cell.text(WebhookVerb.id(endpoint)), .text(endpoint.url),
          .list(endpoint.events.map { .text($0.rawValue) }), .text(WebhookVerb.state(endpoint)),
          .integer(waiting[endpoint.id] ?? 0), endpoint.lastError.map(Cell.text) ?? .none,
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
