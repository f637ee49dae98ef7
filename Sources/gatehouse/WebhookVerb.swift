import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehouseRuntime

/// What the verbs about webhooks share.
enum WebhookVerb {
  static let webhook = Argument("WEBHOOK", "the webhook's id, its beginning, or its URL")

  static let exits: KeyValuePairs<Exit, String> = [
    .no: "it is refused", .notFound: "no such tenant or webhook", .unavailable: "the database failed",
  ]

  /// As `OperatorCommand.run`, with a client for the length of the command.
  static func run(
    _ invocation: Invocation,
    _ body: (Services, TenantSnapshot, any WebhookTransport) async throws -> Exit
  ) async throws -> Exit {
    let loops = LoopGroup(count: 1)
    let http = OutboundHTTP(loop: loops.loops[0], try Config.load(invocation).outbound)
    loops.start()
    let result: Result<Exit, any Error>
    do {
      result = .success(
        try await OperatorCommand.run(invocation) { services, _, call in
          try await body(services, call.tenant, WebhookHTTP(http))
        })
    } catch {
      result = .failure(error)
    }
    await http.close()
    loops.stop()
    return try result.get()
  }

  /// An endpoint as people and scripts see it. The secret only where it was just made.
  static func record(_ endpoint: WebhookEndpoint, secret: String? = nil, waiting: Int? = nil) -> Record {
    var fields: [(key: String, title: String, value: Cell)] = [
      ("id", "webhook", .text(id(endpoint))), ("url", "URL", .text(endpoint.url)),
      ("events", "events", .list(endpoint.events.map { .text($0.rawValue) })),
      ("fields", "fields", .list(endpoint.fields.map(Cell.text))),
    ]
    if let secret { fields.append(("secret", "secret", .text(secret))) }
    fields += [
      ("state", "state", .text(state(endpoint))), ("created_at", "created", UserVerb.time(endpoint.createdAt)),
      ("last_success_at", "last delivery", endpoint.lastSuccessAt.map(UserVerb.time) ?? .none),
      ("failing_since", "fails since", endpoint.failingSince.map(UserVerb.time) ?? .none),
      ("last_error", "last error", endpoint.lastError.map(Cell.text) ?? .none),
    ]
    if let waiting { fields.append(("waiting", "waiting", .integer(waiting))) }
    return Record("webhook", fields)
  }

  static func id(_ endpoint: WebhookEndpoint) -> String { endpoint.id.uuidString.lowercased() }

  static func state(_ endpoint: WebhookEndpoint) -> String {
    if let reason = endpoint.disabledReason { return "off: \(reason)" }
    return endpoint.failingSince == nil ? "on" : "failing"
  }
}
