import GatehouseAdminWire
import GatehouseWire

/// `gatehouse webhook test`.
enum WebhookTest {
  static let command = Command(
    "webhook", "test", summary: "Send one message of type webhook.test to a webhook, now",
    arguments: [OperatorCommand.tenant, WebhookVerb.webhook],
    examples: [
      Example("gatehouse webhook test dd-ride 0197c5a2", "does it answer, and verify?"),
      Example("gatehouse webhook test dd-ride 0197c5a2 --dry-run", "only find it"),
      Example("gatehouse webhook test vibes 0197c5b1", "of another app"),
    ],
    exits: [
      .no: "it did not take the message", .notFound: "no such tenant or webhook", .unavailable: "the database failed",
    ], mutating: true, settings: .allOrBackend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await WebhookVerb.run(invocation) { backend, tenant, endpoint in
      if invocation.isDryRun {
        invocation.terminal.note("a message would go to \(Visible.line(endpoint.url))")
        return .ok
      }
      _ = try await backend.send(TestWebhookOperation.self, .init(tenant: tenant, webhook: endpoint.id))
      invocation.terminal.note("\(Visible.line(endpoint.url)) took the message")
      return .ok
    }
  }
}
