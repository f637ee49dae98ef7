import GatehouseWire

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
    settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await WebhookVerb.run(invocation) { _, _, endpoint in
      try invocation.print(WebhookVerb.record(endpoint, withWaiting: true))
      return .ok
    }
  }
}
