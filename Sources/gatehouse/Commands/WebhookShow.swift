import GatehouseIdentity

/// `gatehouse webhook show`.
enum WebhookShow {
  static let command = Command(
    "webhook", "show", summary: "Show one webhook, never its secret",
    arguments: [OperatorCommand.tenant, WebhookVerb.webhook],
    examples: [
      Example("gatehouse webhook show dd-ride 0197c5a2", "by the beginning of its id"),
      Example("gatehouse webhook show dd-ride 0197c5a2 --output json", "for a script"),
      Example("gatehouse webhook show vibes 0197c5b1", "of another app"),
    ], exits: [.notFound: "no such tenant or webhook", .unavailable: "the database failed"], prints: true,
    settings: .store, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.run(invocation) { services, tenant, call in
      let endpoint = try await Webhooks.find(try invocation.argument("WEBHOOK"), call.tenant, services)
      let waiting = try await services.store.open(tenant.id).webhookBacklog()[endpoint.id] ?? 0
      try invocation.print(WebhookVerb.record(endpoint, waiting: waiting))
      return .ok
    }
  }
}
