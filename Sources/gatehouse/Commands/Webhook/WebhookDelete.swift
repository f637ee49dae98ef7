import GatehouseAdminWire
import GatehouseWire

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
    settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await WebhookVerb.run(invocation) { backend, tenant, endpoint in
      try invocation.confirm(
        ["\(Visible.line(endpoint.url)) is told nothing more; \(endpoint.waiting) messages that wait go."],
        typing: endpoint.id)
      if invocation.isDryRun {
        invocation.terminal.note(
          "the webhook \(endpoint.id) of \(tenant) would go, and \(endpoint.waiting) messages with it")
        return .ok
      }
      _ = try await backend.send(DeleteWebhookOperation.self, .init(tenant: tenant, webhook: endpoint.id))
      invocation.terminal.note("the webhook \(endpoint.id) of \(tenant) is gone")
      return .ok
    }
  }
}
