import GatehouseAdminWire
import GatehouseWire

/// `gatehouse webhook rotate-secret`.
enum WebhookRotateSecret {
  static let command = Command(
    "webhook", "rotate-secret", summary: "Give a webhook a new secret; the old one signs beside it for a day",
    arguments: [OperatorCommand.tenant, WebhookVerb.webhook],
    examples: [
      Example("gatehouse webhook rotate-secret dd-ride 0197c5a2", "the new one is shown this once"),
      Example("gatehouse webhook rotate-secret dd-ride 0197c5a2 --output json", "for a script"),
      Example("gatehouse webhook rotate-secret dd-ride 0197c5a2 --dry-run", "only find it"),
    ],
    exits: [
      .notFound: "no such tenant or webhook", .notAllowed: "the token of --server may not read a field",
      .unavailable: "the database failed",
    ], mutating: true,
    prints: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await WebhookVerb.run(invocation) { backend, tenant, endpoint in
      if invocation.isDryRun {
        invocation.terminal.note("the webhook \(endpoint.id) of \(tenant) would get a new secret")
        return .ok
      }
      let made = try await backend.send(
        RotateWebhookSecretOperation.self, .init(tenant: tenant, webhook: endpoint.id))
      try invocation.print(WebhookVerb.record(made.item, secret: made.secret))
      return .ok
    }
  }
}
