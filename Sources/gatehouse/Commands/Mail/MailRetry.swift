import GatehouseAdminWire
import GatehouseWire

/// `gatehouse mail retry`.
enum MailRetry {
  static let command = Command(
    "mail", "retry", summary: "Send mails that wait now",
    notes: ["Mails that are due within two minutes are left alone: a server may be sending them."],
    arguments: [MailQueueVerb.mail], flags: [MailQueueVerb.tenant, MailQueueVerb.kind],
    examples: [
      Example("gatehouse mail retry", "after the mail server was mended"),
      Example("gatehouse mail retry --tenant dd-ride", "of one tenant"),
      Example("gatehouse mail retry --dry-run", "say how many mails wait"),
    ], exits: MailQueueVerb.exits, mutating: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.backend(invocation) { backend in
      let tenants = try await MailQueueVerb.tenants(invocation, backend)
      if invocation.isDryRun {
        let waiting = try await MailQueueVerb.waiting(of: tenants, backend)
        invocation.terminal.note("\(waiting.count) mails wait")
        return .ok
      }
      var count = 0
      for tenant in tenants {
        count += try await backend.send(
          RetryWaitingMailsOperation.self,
          .init(tenant: tenant, ids: MailQueueVerb.ids(invocation), kind: invocation[MailQueueVerb.kind])
        ).mails
      }
      invocation.terminal.note("\(count) mails are due now")
      return .ok
    }
  }
}
