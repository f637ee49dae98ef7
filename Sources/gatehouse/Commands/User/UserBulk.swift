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
  ///   - fields: with `set`, the fields as typed.
  ///   - now: with `delete`, for good.
  static func run(
    _ change: ChangeUsersOperation.Change, _ filter: UserFilterFlags, done: String, loss: String,
    fields: [String]? = nil, now: Bool = false, _ invocation: Invocation
  ) async throws -> Exit {
    let tenant = try invocation.argument(OperatorCommand.tenant.name)
    var input = ChangeUsersOperation.Input(
      tenant: tenant, change: change, query: filter.query, contains: filter.contains, unverified: filter.unverified,
      since: filter.since, until: filter.until, matching: filter.matching, fields: fields, now: now ? true : nil,
      dryRun: true)
    return try await OperatorCommand.backend(invocation) { backend in
      let (found, start) = try await count(input, backend)
      let users = "\(Words.count(found, "user")) of \(tenant) \(filter.words)"
      guard found > 0, !invocation.isDryRun else {
        invocation.answer(answer(tenant, found, 0, invocation))
        invocation.terminal.note(found == 0 ? "there are \(users)" : "\(users) would be \(done)")
        return .ok
      }
      try invocation.confirm(["\(users): \(loss)"], typing: tenant)
      (input.dryRun, input.cursor) = (nil, start)
      if change == .set, invocation.has(UserSet.background) {
        input.background = true
        let id = try await backend.send(ChangeUsersOperation.self, input).backfill ?? ""
        invocation.answer([
          "tenant": .text(tenant), "found": .integer(found), "changed": .integer(0), "dry_run": .boolean(false),
          "backfill": .text(id),
        ])
        invocation.terminal.note("the server changes \(users) as backfill \(id)")
        invocation.terminal.note("gatehouse policy backfills \(tenant) tells how far it is")
        return .ok
      }
      let progress = Progress(invocation.command.name, of: found, on: invocation.terminal)
      defer { progress.end() }
      var sum = ChangeUsersOperation.Output()
      do {
        repeat {
          let part = try await backend.send(ChangeUsersOperation.self, input)
          sum.found += part.found
          sum.changed += part.changed
          sum.refused += part.refused
          sum.samples = Array((sum.samples + part.samples).prefix(3))
          input.cursor = part.nextCursor
          progress.reach(sum.found)
        } while input.cursor != nil
      } catch {
        guard sum.changed > 0 else { throw error }
        invocation.terminal.note("\(sum.changed) of \(users): \(done); the same command again goes on with the rest")
        throw error
      }
      progress.end()
      invocation.answer(answer(tenant, found, sum.changed, invocation))
      invocation.terminal.note("\(Words.count(sum.changed, "user")) of \(tenant): \(done)")
      guard sum.refused == 0 else {
        throw Failure(
          .notAllowed,
          "the policy refuses to change \(sum.refused)"
            + (sum.samples.isEmpty ? "" : ": " + sum.samples.map(Visible.line).joined(separator: "; ")))
      }
      return .ok
    }
  }

  /// How many users there are, and the place from which they are changed.
  private static func count(
    _ first: ChangeUsersOperation.Input, _ backend: OperatorBackend
  ) async throws -> (found: Int, start: String?) {
    var (input, found, start) = (first, 0, nil as String?)
    repeat {
      let part = try await backend.send(ChangeUsersOperation.self, input)
      found += part.found
      start = start ?? part.start
      input.cursor = part.nextCursor
    } while input.cursor != nil
    return (found, start)
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
