import GatehouseIdentity
import GatehouseAdminWire
import GatehouseWire

/// `gatehouse mail preview`.
enum MailPreview {
  static let kinds = MessageKind.allCases.map(\.rawValue)
  private static let language = Flag(
    "language", .text("TAG", "a language tag, such as es"), "the reader's language (default the app's first)")
  private static let html = Flag("html", .onOff, "print the HTML part instead of the text")

  static let command = Command(
    "mail", "preview", summary: "Print a mail as it would be sent, with made-up names, link and code",
    notes: ["Kinds: \(kinds.joined(separator: ", "))."],
    arguments: [OperatorCommand.tenant, Argument("KIND", "the kind of mail, such as verify_email")],
    flags: [language, html],
    examples: [
      Example("gatehouse mail preview dd-ride verify_email", "the text part"),
      Example("gatehouse mail preview dd-ride reset_password --language es --html > mail.html", "to look at"),
      Example("gatehouse mail preview messai set_password", "the mail of an invitation"),
    ], exits: [.notFound: "no such tenant", .unavailable: "the database failed"], settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let input = PreviewMailOperation.Input(
      tenant: try invocation.argument(OperatorCommand.tenant.name),
      kind: try kind(invocation.argument("KIND")).rawValue,
      language: invocation[language])
    return try await OperatorCommand.backend(invocation) { backend in
      let mail = try await backend.send(PreviewMailOperation.self, input)
      let part = invocation.has(html) ? mail.html : "Subject: \(mail.subject)\n\n\(mail.text)"
      try invocation.terminal.data(part.hasSuffix("\n") ? part : part + "\n")
      return .ok
    }
  }

  static func kind(_ text: String) throws(Failure) -> MessageKind {
    if let kind = MessageKind(rawValue: text) { return kind }
    throw Failure(.usage, "\(Quoted(text)) is not a kind of mail", hint: "one of \(kinds.joined(separator: ", "))")
  }
}
