import GatehouseAdminWire
import GatehouseWire

/// `gatehouse limit clear`.
enum LimitClear {
  static let command = Command(
    "limit", "clear", summary: "Reset counts against limits to zero",
    notes: ["At least one of --name, --address and --user is needed; several of them together all have to match."],
    arguments: [OperatorCommand.tenant],
    flags: [LimitVerb.name, LimitVerb.address, LimitVerb.user],
    examples: [
      Example("gatehouse limit clear dd-ride --address 203.0.113.7", "a dormitory that signs up on one evening"),
      Example("gatehouse limit clear dd-ride --user willie@ksu.edu", "a user who asked for too many mails"),
      Example("gatehouse limit clear dd-ride --name mail_per_tenant --yes", "without questions, in a script"),
    ], exits: LimitVerb.exits, mutating: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let tenant = try invocation.argument(OperatorCommand.tenant.name)
    let (name, address, user) = (
      invocation[LimitVerb.name], invocation[LimitVerb.address], invocation[LimitVerb.user]
    )
    guard name != nil || address != nil || user != nil else {
      throw Failure(.usage, "name what to clear by --name, --address or --user", hint: "gatehouse limit list \(tenant)")
    }
    return try await OperatorCommand.backend(invocation) { backend in
      if invocation.isDryRun {
        let found = try await backend.items(atMost: 10_000, page: 1000) { limit, cursor in
          let page = try await backend.send(
            ListLimitsOperation.self,
            .init(tenant: tenant, name: name, address: address, user: user, limit: limit, cursor: cursor))
          return (page.items, page.nextCursor)
        }
        invocation.answer(["counters": .integer(found.count), "dry_run": .boolean(true)])
        invocation.terminal.note("\(found.count) counters of \(tenant) would begin at zero")
        return .ok
      }
      let done = try await backend.send(
        ClearLimitsOperation.self, .init(tenant: tenant, name: name, address: address, user: user))
      invocation.answer(["counters": .integer(done.cleared), "dry_run": .boolean(false)])
      invocation.terminal.note("\(done.cleared) counters of \(tenant) begin at zero")
      if done.cleared == 10_000 { invocation.terminal.note("there may be more: run it again") }
      return .ok
    }
  }
}
