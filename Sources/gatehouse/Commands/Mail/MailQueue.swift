import GatehouseAdminWire
import GatehouseWire

/// `gatehouse mail queue`.
enum MailQueue {
  static let command = Command(
    "mail", "queue", summary: "List mails that wait to be sent",
    notes: [
      "No address is shown. A mail that waits for longer than a day, or for longer than its link lives, is dropped; one with a code for a fresh proof after an hour.",
      "At most the 1000 oldest mails of each tenant are shown.",
    ],
    flags: [MailQueueVerb.tenant],
    examples: [
      Example("gatehouse mail queue", "of all tenants"),
      Example("gatehouse mail queue --tenant dd-ride", "of one"),
      Example("gatehouse mail queue --output json", "for a script"),
    ], exits: MailQueueVerb.exits, prints: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.backend(invocation) { backend in
      let found = try await MailQueueVerb.waiting(
        of: try await MailQueueVerb.tenants(invocation, backend), backend)
      let columns = [
        Table.Column("tenant", "tenant"), Table.Column("id", "mail"), Table.Column("kind", "kind"),
        Table.Column("created_at", "since"), Table.Column("attempts", "tries"),
        Table.Column("next_attempt_at", "next try"), Table.Column("expires_at", "dropped after"),
        Table.Column("last_error", "last reason"),
      ]
      let rows = found.map { tenant, mail in
        [
          Cell.text(tenant), .text(mail.id), .text(mail.kind), UserVerb.time(mail.createdAt), .integer(mail.attempts),
          UserVerb.time(mail.nextAttemptAt), UserVerb.time(mail.expiresAt), mail.lastError.map(Cell.text) ?? .none,
        ]
      }
      try invocation.print(Table(kind: "mail.queue", columns: columns, rows: rows, whenEmpty: "no mail waits"))
      return .ok
    }
  }
}
