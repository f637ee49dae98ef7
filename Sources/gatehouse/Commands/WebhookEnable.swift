import GatehouseIdentity

/// `gatehouse webhook enable`.
enum WebhookEnable {
  static let command = Command(
    "webhook", "enable", summary: "Switch a webhook on again that failed for days",
    notes: ["What happened while it was off is not told."],
    arguments: [OperatorCommand.tenant, WebhookVerb.webhook],
    examples: [
      Example("gatehouse webhook enable dd-ride 0197c5a2", "after its owner mended it"),
      Example("gatehouse webhook enable dd-ride 0197c5a2 --dry-run", "only find it"),
      Example("gatehouse webhook enable vibes 0197c5b1", "of another app"),
    ], exits: [.notFound: "no such tenant or webhook", .unavailable: "the database failed"], mutating: true,
    settings: .store, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.run(invocation) { services, tenant, call in
      let endpoint = try await Webhooks.find(try invocation.argument("WEBHOOK"), call.tenant, services)
      let id = WebhookVerb.id(endpoint)
      if invocation.isDryRun {
        invocation.terminal.note("the webhook \(id) of \(tenant.name) would be switched on")
        return .ok
      }
      try await Webhooks.enable(endpoint, call.tenant, author: OperatorCommand.author(invocation), services)
      invocation.terminal.note("the webhook \(id) of \(tenant.name) is on")
      return .ok
    }
  }
}
