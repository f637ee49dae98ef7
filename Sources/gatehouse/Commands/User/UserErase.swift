import GatehouseAdminWire
import GatehouseWire

/// `gatehouse user erase`.
enum UserErase {
  static let command = Command(
    "user", "erase", summary: "Erase a user: the account and all personal data",
    notes: [
      "The audit log keeps the events, under a number that no longer names a user: addresses, requests and details"
        + " of the user's rows go, and its chain still holds. Backups keep them until you delete them."
    ],
    arguments: [OperatorCommand.tenant, UserVerb.user],
    examples: [
      Example("gatehouse user erase dd-ride willie@ksu.edu", "says what will go, and asks"),
      Example("gatehouse user erase dd-ride willie@ksu.edu --dry-run", "only say what would go"),
      Example("gatehouse user erase dd-ride willie@ksu.edu --yes", "without questions, in a script"),
    ], exits: UserVerb.exits, mutating: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    var input = EraseUserOperation.Input(
      tenant: try invocation.argument(OperatorCommand.tenant.name), user: try invocation.argument("USER"), dryRun: true)
    return try await OperatorCommand.backend(invocation) { backend in
      let extent = try await backend.send(EraseUserOperation.self, input)
      let name = extent.email ?? input.user
      let losses =
        [
          "\(name) of \(input.tenant) will be erased, for good: the account and its profile,",
          "\(extent.sessions) sessions, \(extent.codes) codes, \(extent.mails) mails, and what \(extent.events) audit rows"
            + " say of addresses and requests.",
        ]
        + (extent.deleted == 0
          ? [] : ["\(extent.deleted) deleted accounts that could still be brought back go as well."])
      invocation.answer([
        "tenant": .text(input.tenant), "email": extent.email.map(Cell.text) ?? .none,
        "sessions": .integer(extent.sessions), "codes": .integer(extent.codes), "mails": .integer(extent.mails),
        "events": .integer(extent.events), "deleted": .integer(extent.deleted),
        "dry_run": .boolean(invocation.isDryRun),
      ])
      try invocation.confirm(losses, typing: name)
      if invocation.isDryRun {
        for line in losses { invocation.terminal.note(line) }
      } else {
        input.dryRun = nil
        _ = try await backend.send(EraseUserOperation.self, input)
        invocation.terminal.note("\(name) of \(input.tenant): erased")
      }
      if !extent.revisions.isEmpty {
        let list = extent.revisions.map(String.init).joined(separator: ", ")
        invocation.terminal.note("the policy itself names this address, in revision \(list): edit what is live")
      }
      return .ok
    }
  }
}
