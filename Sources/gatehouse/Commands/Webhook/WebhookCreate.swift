import GatehouseIdentity
import GatehouseAdminWire
import GatehouseWire

/// `gatehouse webhook create`.
enum WebhookCreate {
  private static let events = Flag(
    "events", .text("LIST", "events with commas between").completing(.words(WebhookEvent.allCases.map(\.rawValue))),
    "what to tell: user.created,user.deleted (default: all)")
  private static let fields = Flag(
    "fields", .text("LIST", "fields with commas between").completing(.field),
    "fields of the user to send beside the id: email, profile fields (default: none)")

  static let command = Command(
    "webhook", "create", summary: "Send signed messages about an app's events to a server",
    notes: [
      "The secret that verifies the messages (Standard Webhooks) is shown this once.",
      "A token needs the scope user:read besides for email and fields that all users see, and audit:read for the other fields.",
      "Events: " + WebhookEvent.allCases.map(\.rawValue).joined(separator: ", ") + ".",
    ],
    arguments: [OperatorCommand.tenant, Argument("URL", "an https URL on the public Internet")],
    flags: [events, fields],
    examples: [
      Example("gatehouse webhook create dd-ride https://api.ddride.example/hooks", "everything that happens"),
      Example(
        "gatehouse webhook create dd-ride https://api.ddride.example/hooks --events user.created,user.deleted",
        "only who comes and goes"),
      Example(
        "gatehouse webhook create vibes https://vibes.example/hooks --fields email,username --output json",
        "with the user's address and name"),
    ],
    exits: [
      .no: "the URL or a field is refused", .notFound: "no such tenant",
      .conflict: "with --if-absent: one is there, with other events or fields",
      .notAllowed: "the token of --server may not read a field", .unavailable: "the database failed",
    ], mutating: true, creates: true, prints: true, settings: .allOrBackend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let wanted = try list(invocation[events]).map { name throws(Failure) in
      guard WebhookEvent(rawValue: name) != nil else {
        let all = WebhookEvent.allCases.map(\.rawValue)
        throw Failure(.usage, "there is no event \(Quoted(name))", hint: "events are: " + all.joined(separator: ", "))
      }
      return name
    }
    let input = CreateWebhookOperation.Input(
      tenant: try invocation.argument(OperatorCommand.tenant.name), url: try invocation.argument("URL"),
      events: wanted.isEmpty ? nil : wanted, fields: list(invocation[fields]), ifAbsent: invocation.ifAbsent,
      dryRun: invocation.isDryRun)
    return try await OperatorCommand.backend(invocation) { backend in
      let made = try await backend.send(CreateWebhookOperation.self, input)
      if let item = made.item {
        if made.existed == true {
          invocation.terminal.note("the webhook exists already; nothing was changed, and its secret is not shown again")
        }
        try invocation.print(WebhookVerb.record(item, secret: made.secret))
      } else {
        invocation.terminal.note("a webhook of \(Visible.line(input.tenant)) would be made")
      }
      return .ok
    }
  }

  private static func list(_ text: String?) -> [String] {
    (text ?? "").split(separator: ",").map { $0.trimmingPrefix(" ") }.map(String.init)
  }
}
