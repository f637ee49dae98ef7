import Foundation
import GatehouseIdentity
import GatehousePolicy

/// `gatehouse mail send-test`.
enum MailSendTest {
  private static let kind = Flag(
    "kind", .text("KIND", "a kind of mail, as verify_email"), "send a sample of this mail (default test)")

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
    ], mutating: true, settings: .all, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let kind = try MailPreview.kind(invocation[kind] ?? MailKind.test.rawValue)
    let config = try Config.load(invocation)
    let address = try invocation.argument("ADDRESS")
    return try await OperatorCommand.run(invocation) { services, _, call in
      let transport = try MailParts.transport(config)
      if invocation.isDryRun {
        return try report(await MailParts.probe(config), "the mail settings work", invocation)
      }
      var mail = try MailPreview.render(kind, language: nil, call, config)
      mail.subject = "[Test] \(mail.subject)"
      let from = config.mail.from ?? "no-reply@localhost"
      let domain = from.split(separator: "@").last.map(String.init) ?? "localhost"
      let message = MailMessage(
        messageID: "\(services.clock.makeID().uuidString.lowercased())@\(domain)", date: services.clock.now,
        from: MailAddress(name: call.policy.app.name, address: from), to: MailAddress(address: address),
        replyTo: call.policy.app.supportEmail.map { MailAddress(address: $0) }, mail: mail)
      return try report(await transport.deliver(message), "sent to \(Visible.line(address))", invocation)
    }
  }

  private static func report(_ outcome: MailOutcome, _ done: String, _ invocation: Invocation) throws(Failure) -> Exit {
    switch outcome {
    case .delivered(let detail):
      invocation.terminal.note(detail.isEmpty ? done : "\(done): \(Visible.line(detail))")
      return .ok
    case .permanentFailure(let reason): throw Failure(.no, "refused: \(Visible.line(reason))")
    case .temporaryFailure(let reason):
      throw Failure(.unavailable, "not sent: \(Visible.line(reason))", hint: "smtp_url in gatehouse config show")
    }
  }
}
