import GatehouseAdminWire
import GatehouseWire

/// `gatehouse user set --where`.
enum UserSetAll {
  /// Counts, asks, and changes all users who have the value; says how far it is where that takes more than one answer.
  static func run(_ invocation: Invocation, _ condition: String) async throws -> Exit {
    let tenant = try invocation.argument(OperatorCommand.tenant.name)
    let fields = [try invocation.argument("USER")] + invocation.arguments("FIELD=VALUE")
    if let word = fields.first(where: { !$0.contains("=") }) {
      throw Failure(.usage, "with --where no user is named: \(Quoted(word)) is not FIELD=VALUE")
    }
    let shown = Visible.line(condition)
    return try await OperatorCommand.backend(invocation) { backend in
      var input = SetUsersOperation.Input(tenant: tenant, matching: [condition], fields: fields, dryRun: true)
      if invocation.isDryRun || !invocation.has(CommonFlags.yes) {
        let count = try await walk(backend, input, invocation).found
        guard !invocation.isDryRun, count > 0 else {
          invocation.terminal.note("\(Words.count(count, "user")) of \(tenant) with \(shown)")
          return .ok
        }
        try invocation.confirm(
          ["\(Words.count(count, "user")) of \(tenant) with \(shown) would be changed"], typing: tenant)
      }
      input.dryRun = nil
      let done = try await walk(backend, input, invocation)
      invocation.terminal.note("\(Words.count(done.changed, "user")) of \(tenant) changed")
      guard done.refused == 0 else {
        throw Failure(
          .notAllowed,
          "the policy refuses to change \(done.refused): " + done.samples.map(Visible.line).joined(separator: "; "))
      }
      return .ok
    }
  }

  private static func walk(
    _ backend: OperatorBackend, _ first: SetUsersOperation.Input, _ invocation: Invocation
  ) async throws -> SetUsersOperation.Output {
    var (input, sum) = (first, SetUsersOperation.Output())
    while true {
      let answer = try await backend.send(SetUsersOperation.self, input)
      sum.seen += answer.seen
      sum.found += answer.found
      sum.changed += answer.changed
      sum.refused += answer.refused
      sum.samples = Array((sum.samples + answer.samples).prefix(3))
      guard let next = answer.nextCursor else { return sum }
      invocation.terminal.note("\(sum.seen) users looked at, \(sum.found) found, \(sum.changed) changed")
      input.cursor = next
    }
  }
}
