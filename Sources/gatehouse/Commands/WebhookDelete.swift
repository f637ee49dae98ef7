import GatehouseIdentity

/// `gatehouse webhook delete`.
enum WebhookDelete {
  static let command = Command(
    "webhook", "delete", summary: "Tell a webhook nothing more; what waits for it goes",
    arguments: [OperatorCommand.tenant, WebhookVerb.webhook],
    examples: [
      Example("gatehouse webhook delete dd-ride 0197c5a2", "asks first"),
      Example("gatehouse webhook delete dd-ride 0197c5a2 --yes", "without questions"),
      Example("gatehouse webhook delete dd-ride 0197c5a2 --dry-run", "say what would go"),
    ], exits: [.notFound: "no such tenant or webhook", .unavailable: "the database failed"], mutating: true,
    settings: .store, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.run(invocation) { services, tenant, call in
      let endpoint = try await Webhooks.find(try invocation.argument("WEBHOOK"), call.tenant, services)
      let waiting = try await services.store.open(tenant.id).webhookBacklog()[endpoint.id] ?? 0
      let id = WebhookVerb.id(endpoint)
      try invocation.confirm(
        ["\(Visible.line(endpoint.url)) is told nothing more; \(waiting) messages that wait go."], typing: id)
      if invocation.isDryRun {
        invocation.terminal.note("the webhook \(id) of \(tenant.name) would go, and \(waiting) messages with it")
        return .ok
      }
      try await Webhooks.delete(endpoint, call.tenant, author: OperatorCommand.author(invocation), services)
      invocation.terminal.note("the webhook \(id) of \(tenant.name) is gone")
      return .ok
    }
  }
}
