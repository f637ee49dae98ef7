import GatehouseIdentity
import GatehousePrimitives

/// `gatehouse webhook rotate-secret`.
enum WebhookRotateSecret {
  static let command = Command(
    "webhook", "rotate-secret", summary: "Give a webhook a new secret; the old one signs beside it for a day",
    arguments: [OperatorCommand.tenant, WebhookVerb.webhook],
    examples: [
      Example("gatehouse webhook rotate-secret dd-ride 0197c5a2", "the new one is shown this once"),
      Example("gatehouse webhook rotate-secret dd-ride 0197c5a2 --output json", "for a script"),
      Example("gatehouse webhook rotate-secret dd-ride 0197c5a2 --dry-run", "only find it"),
    ], exits: [.notFound: "no such tenant or webhook", .unavailable: "the database failed"], mutating: true,
    prints: true, settings: .store, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.run(invocation) { services, tenant, call in
      let endpoint = try await Webhooks.find(try invocation.argument("WEBHOOK"), call.tenant, services)
      if invocation.isDryRun {
        invocation.terminal.note("the webhook \(WebhookVerb.id(endpoint)) of \(tenant.name) would get a new secret")
        return .ok
      }
      let secret = try await Webhooks.rotateSecret(
        of: endpoint, call.tenant, author: OperatorCommand.author(invocation), services)
      try invocation.print(WebhookVerb.record(endpoint, secret: secret.expose { $0 }))
      return .ok
    }
  }
}
