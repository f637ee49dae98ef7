import GatehouseAdminWire
import GatehouseWire

/// `gatehouse webhook enable`.
enum WebhookEnable {
  static let command = Command(
    "webhook", "enable", summary: "Switch a webhook on again that failed for days",
    notes: [
      "Events of the time while it was off are not delivered.",
      "It also confirms that a webhook may go on sending its fields of users, where doctor asks for that.",
    ],
    arguments: [OperatorCommand.tenant, WebhookVerb.webhook],
    examples: [
      Example("gatehouse webhook enable dd-ride 0197c5a2", "after its owner mended it"),
      Example("gatehouse webhook enable dd-ride 0197c5a2 --dry-run", "only find it"),
      Example("gatehouse webhook enable vibes 0197c5b1", "of another app"),
    ],
    exits: [
      .notFound: "no such tenant or webhook", .notAllowed: "the token of --server may not read a field",
      .unavailable: "the database failed",
    ], mutating: true,
    settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await WebhookVerb.run(invocation) { backend, tenant, endpoint in
      if invocation.isDryRun {
        invocation.terminal.note("the webhook \(endpoint.id) of \(tenant) would be switched on")
        return .ok
      }
      _ = try await backend.send(EnableWebhookOperation.self, .init(tenant: tenant, webhook: endpoint.id))
      invocation.terminal.note("the webhook \(endpoint.id) of \(tenant) is on")
      return .ok
    }
  }
}
