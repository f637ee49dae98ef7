import GatehouseAdminWire
import GatehouseWire

/// `gatehouse policy purge`.
enum PolicyPurge {
  static let command = Command(
    "policy", "purge", summary: "Remove the stored values of a field that the policy does not have",
    notes: [
      "A field that is taken out of a policy leaves its values with the users: nothing shows them, and they are back"
        + " when the field is. This removes them, with an audit entry for each user.",
      "It may be stopped at any moment and run again: finished work is kept.",
    ],
    arguments: [OperatorCommand.tenant, Argument("FIELD", "the name of the field")],
    examples: [
      Example("gatehouse policy purge dd-ride nickname --dry-run", "count, and change nothing"),
      Example("gatehouse policy purge dd-ride nickname", "asks first, and says how many"),
      Example("gatehouse policy purge dd-ride nickname --yes", "without questions, in a script"),
    ],
    exits: [
      .notFound: "no such tenant", .notAllowed: "the live policy has the field", .unavailable: "the database failed",
    ], mutating: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let tenant = try invocation.argument(OperatorCommand.tenant.name)
    let field = try invocation.argument("FIELD")
    let shown = Visible.line(field)
    return try await OperatorCommand.backend(invocation) { backend in
      if invocation.isDryRun || !invocation.has(CommonFlags.yes) {
        let count = try await walk(backend, .init(tenant: tenant, field: field, dryRun: true), invocation)
        guard !invocation.isDryRun, count > 0 else {
          invocation.terminal.note("\(count) users of \(tenant) have a value of \(shown)")
          return .ok
        }
        try invocation.confirm(
          ["\(count) users of \(tenant) lose their value of \(shown); nothing brings it back"], typing: field)
      }
      let count = try await walk(backend, .init(tenant: tenant, field: field), invocation)
      invocation.terminal.note("the values of \(shown) of \(count) users of \(tenant) are removed")
      return .ok
    }
  }

  /// Looks at all users, and says how far it is where that takes more than one answer. How many had a value.
  private static func walk(
    _ backend: OperatorBackend, _ first: PurgePolicyFieldOperation.Input, _ invocation: Invocation
  ) async throws -> Int {
    var (input, seen, found) = (first, 0, 0)
    while true {
      let answer = try await backend.send(PurgePolicyFieldOperation.self, input)
      seen += answer.seen
      found += answer.found
      guard let next = answer.nextCursor else { return found }
      invocation.terminal.note("\(seen) users looked at, \(found) with a value")
      input.cursor = next
    }
  }
}
