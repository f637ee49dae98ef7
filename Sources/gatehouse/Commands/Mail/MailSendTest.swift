import GatehouseIdentity
import GatehouseAdminWire
import GatehouseWire

/// `gatehouse mail send-test`.
enum MailSendTest {
  private static let kind = Flag(
    "kind", .text("KIND", "a kind of mail, such as verify_email"), "send a sample of this mail (default test)")

  static let command = Command(
    "mail", "send-test", summary: "Send a mail with made-up contents, to try the mail settings",
    notes: ["It goes out at once, past the outbox, and says what the mail server answered."],
    arguments: [OperatorCommand.tenant, Argument("ADDRESS", "who gets it")], flags: [kind],
    examples: [
      Example("gatehouse mail send-test dd-ride you@example.com", "do the settings work?"),
      Example(
        "gatehouse mail send-test dd-ride you@example.com --kind verify_email", "how does it look in a mail program?"),
      Example("gatehouse mail send-test messai you@example.com --dry-run", "only connect and sign in"),
    ],
    exits: [
      .no: "the mail server refused it", .notFound: "no such tenant",
      .unavailable: "the mail server or the database cannot be reached",
    ], mutating: true, settings: .allOrBackend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let input = SendTestMailOperation.Input(
      tenant: try invocation.argument(OperatorCommand.tenant.name), address: try invocation.argument("ADDRESS"),
      kind: try MailPreview.kind(invocation[kind] ?? MessageKind.test.rawValue).rawValue, dryRun: invocation.isDryRun)
    return try await OperatorCommand.backend(invocation) { backend in
      let detail = try await backend.send(SendTestMailOperation.self, input).detail
      let done = invocation.isDryRun ? "the mail settings work" : "sent to \(Visible.line(input.address))"
      invocation.terminal.note(detail.isEmpty ? done : "\(done): \(Visible.line(detail))")
      return .ok
    }
  }
}
