import GatehouseAdminWire
import GatehousePolicyFile
import GatehouseWire

/// A change of all users that a filter finds: they are counted first, the operator is asked, and batch after batch is
/// changed.
enum UserBulk {
  static let note =
    "With a filter in place of USER it counts the users, asks, and changes batch after batch. An interrupted run is"
    + " safe: the same command again goes on with the rest. Users made after it began are left alone."

  /// - Parameters:
  ///   - done: the word for a changed user, such as `deleted`.
  ///   - loss: the end of the sentence that the operator agrees to.
  static func run(
    _ change: ChangeUsersOperation.Change, _ filter: UserFilterFlags, done: String, loss: String,
    _ invocation: Invocation
  ) async throws -> Exit {
    let tenant = try invocation.argument(OperatorCommand.tenant.name)
    var input = ChangeUsersOperation.Input(
      tenant: tenant, change: change, query: filter.query, unverified: filter.unverified, since: filter.since,
      until: filter.until, dryRun: true)
    return try await OperatorCommand.backend(invocation) { backend in
      let count = try await backend.send(ChangeUsersOperation.self, input)
      let found = count.found ?? 0
      let users = "\(Words.count(found, "user")) of \(tenant) \(filter.words)"
      guard found > 0, !invocation.isDryRun else {
        invocation.answer(answer(tenant, found, 0, invocation))
        invocation.terminal.note(found == 0 ? "there are \(users)" : "\(users) would be \(done)")
        return .ok
      }
      try invocation.confirm(["\(users): \(loss)"], typing: tenant)
      (input.dryRun, input.cursor) = (nil, count.nextCursor)
      let progress = Progress(invocation.command.name, of: found, on: invocation.terminal)
      defer { progress.end() }
      var changed = 0
      do {
        repeat {
          let part = try await backend.send(ChangeUsersOperation.self, input)
          changed += part.changed
          input.cursor = part.nextCursor
          progress.reach(changed)
        } while input.cursor != nil
      } catch {
        guard changed > 0 else { throw error }
        invocation.terminal.note("\(changed) of \(users): \(done); the same command again goes on with the rest")
        throw error
      }
      progress.end()
      invocation.answer(answer(tenant, found, changed, invocation))
      invocation.terminal.note("\(Words.count(changed, "user")) of \(tenant): \(done)")
      return .ok
    }
  }

  private static func answer(
    _ tenant: String, _ found: Int, _ changed: Int, _ invocation: Invocation
  ) -> KeyValuePairs<String, Cell> {
    [
      "tenant": .text(tenant), "found": .integer(found), "changed": .integer(changed),
      "dry_run": .boolean(invocation.isDryRun),
    ]
  }
}
