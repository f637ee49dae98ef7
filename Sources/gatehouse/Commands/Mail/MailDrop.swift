import GatehouseAdminWire
import GatehouseWire

/// `gatehouse mail drop`.
enum MailDrop {
  static let command = Command(
    "mail", "drop", summary: "Drop mails that wait",
    notes: [
      "At least one MAIL, --tenant or --kind is needed; several of them together all have to match.",
      "Codes and links in these mails stay as they are. A mail that a server is sending may still leave.",
    ],
    arguments: [MailQueueVerb.mail], flags: [MailQueueVerb.tenant, MailQueueVerb.kind],
    examples: [
      Example("gatehouse mail drop --tenant dd-ride --kind reset_password", "asks first"),
      Example("gatehouse mail drop 0197c5a2-6f4e-7b39-8a04-2c1d9be07a11 --yes", "one mail, without questions"),
      Example("gatehouse mail drop --kind new_device --dry-run", "say how many would go"),
    ], exits: MailQueueVerb.exits, mutating: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let (ids, kind) = (MailQueueVerb.ids(invocation), invocation[MailQueueVerb.kind])
    guard ids != nil || kind != nil || invocation[MailQueueVerb.tenant] != nil else {
      throw Failure(.usage, "name what to drop by MAIL, --tenant or --kind", hint: "gatehouse mail queue")
    }
    return try await OperatorCommand.backend(invocation) { backend in
      let tenants = try await MailQueueVerb.tenants(invocation, backend)
      let meant = try await MailQueueVerb.waiting(of: tenants, backend).filter { _, mail in
        (ids?.contains(mail.id) ?? true) && (kind.map { $0 == mail.kind } ?? true)
      }
      try invocation.confirm(["\(meant.count) mails that wait are not sent."], typing: "drop")
      if invocation.isDryRun {
        invocation.terminal.note("\(meant.count) mails would be dropped")
        return .ok
      }
      var count = 0
      for tenant in tenants {
        count += try await backend.send(
          DropWaitingMailsOperation.self, .init(tenant: tenant, ids: ids, kind: kind)
        ).mails
      }
      invocation.terminal.note("\(count) mails are dropped")
      return .ok
    }
  }
}
