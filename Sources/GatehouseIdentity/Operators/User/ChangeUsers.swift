import Foundation
import GatehousePolicy
import GatehousePrimitives
package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse user delete`, `disable`, `revoke` and `set` with a filter: one batch of the users that it finds. A call
/// that was interrupted has changed whole users, and the next one goes on.
/// In the background the same batches are the work of a job, which keeps what they replace.
package enum ChangeUsers {
  /// How long a call may take before it answers.
  private static let longest = Duration.seconds(2)
  private static let most = 100
  /// How many users who were refused are named.
  private static let mostSamples = 3

  package static func run(_ input: ChangeUsersOperation.Input, _ call: OperatorCall) async throws
    -> ChangeUsersOperation.Output
  {
    try await run(input, in: try await call.call(input.tenant), call)
  }

  /// - Parameter backfill: whose order it is; what is replaced is kept for it.
  static func run(_ input: ChangeUsersOperation.Input, for backfill: UUID? = nil, in seen: Call, _ call: OperatorCall)
    async throws -> ChangeUsersOperation.Output
  {
    let change = try read(input, seen.policy)
    let filter = try await UserFilter(
      query: input.query, contains: input.contains, unverified: input.unverified, since: input.since,
      until: input.until, matching: input.matching, call.services
    ) { seen.policy }
    // GUARD: user changes: a filter that finds everyone changes none
    guard !filter.isEmpty else { throw Refusal(.malformedRequest, detail: "name a filter: all users is none") }
    let cursor = try input.cursor.map { text in
      guard let id = UserID(text: text) else { throw Refusal.malformed("/cursor", "is not from this operation") }
      return id
    }
    let limit = try OperatorCall.limit(input.limit, most, atMost: most)
    let store = call.store(of: seen)
    if input.background == true { return try await order(input, change, cursor, in: seen, call) }
    let end = ContinuousClock.now + longest
    var output = ChangeUsersOperation.Output()
    if input.dryRun == true, cursor == nil {
      // Ids grow with time: users made from now on stand before this place.
      output.start = UserID(call.services.clock.makeID()).text
    }
    let next = try await UserScan.stretches(after: cursor, within: longest, in: store) { after, through in
      guard input.dryRun != true else {
        output.found += try await store.userCount(filter, after: after, through: through)
        return nil
      }
      let left = limit - output.found
      let users = try await store.users(filter, after: after, through: through, limit: left)
      for user in users {
        output.found += 1
        try await apply(change, to: user, for: backfill, seen, call, &output)
        if ContinuousClock.now >= end { return user.id }
      }
      return users.count == left ? users.last?.id : nil
    }
    if !call.who.allows(.userRead) { output.samples = [] }
    output.nextCursor = next?.text
    return output
  }

  /// Leaves the work to the job of the server.
  private static func order(
    _ input: ChangeUsersOperation.Input, _ change: Change, _ cursor: UserID?, in seen: Call, _ call: OperatorCall
  ) async throws -> ChangeUsersOperation.Output {
    guard case .set = change, input.dryRun != true else {
      throw Refusal.malformed("/background", "goes with set alone, and without dry_run")
    }
    let (id, author) = (call.services.clock.makeID(), try call.author())
    var order = input
    (order.background, order.cursor, order.limit) = (nil, nil, nil)
    do {
      try await call.store(of: seen).commit(
        [
          .backfill(
            .order(
              id, revision: seen.tenant.revision, author: author.name,
              try JSONEncoding.encode(order, spelling: .contract),
              // Users who are made from now on are left alone.
              before: cursor ?? UserID(call.services.clock.makeID()))),
          .audit(
            try call.entry(
              .backfillOrdered, details: ["backfill": id.text, "fields": names(input).joined(separator: ",")])),
        ], as: .operator)
    } catch StoreError.refused(.revisionIsCurrent) {
      throw OperatorError(.stale, "another revision was applied at the same moment; nothing is ordered")
    }
    return ChangeUsersOperation.Output(backfill: id.text)
  }

  /// The names of the fields that an order sets.
  static func names(_ input: ChangeUsersOperation.Input) -> [String] {
    (input.fields ?? []).map { String($0.prefix { $0 != "=" }) }
  }

  /// The change of each user, read once.
  private enum Change {
    case disable, revoke
    case delete(now: Bool)
    case set([String])
  }

  /// Refuses what cannot be read, before the first user.
  private static func read(_ input: ChangeUsersOperation.Input, _ policy: Policy) throws -> Change {
    guard let change = input.change.known else {
      throw Refusal.malformed(
        "/change", "is \(ChangeUsersOperation.Change.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    guard change == .set else {
      guard input.fields == nil else { throw Refusal.malformed("/fields", "goes with set alone") }
      switch change {
      case .delete: return .delete(now: input.now == true)
      case .disable: return .disable
      case .revoke, .set: return .revoke
      }
    }
    let fields = input.fields ?? []
    guard try !TypedProfile.values(nil, fields, policy).isEmpty else {
      throw Refusal.malformed("/fields", "nothing to change")
    }
    return .set(fields)
  }

  private static func apply(
    _ change: Change, to user: StoredUser, for backfill: UUID?, _ seen: Call, _ call: OperatorCall,
    _ output: inout ChangeUsersOperation.Output
  ) async throws {
    do {
      switch change {
      case .delete(let now):
        try await DeleteUser.remove(
          user, undoUntil: now ? nil : seen.undoesDeletionsUntil,
          mailing: Messaging.deleted(user, seen, call.services), seen, call)
      case .disable:
        guard user.disabledAt == nil else { return }
        _ = try await DisableUser.run(user, true, actor: try call.author().actor, as: .operator, seen, call.services)
      case .revoke: try await RevokeSessions.end(nil, of: user, seen, call)
      case .set(let fields):
        try await SetUser.change(
          user, by: .init(tenant: seen.tenant.name.description, user: user.id.text, fields: fields),
          keeping: backfill, in: seen, call)
      }
      output.changed += 1
    } catch let refusal as Refusal where !refusal.violations.isEmpty {
      output.refused += 1
      guard output.samples.count < mostSamples else { return }
      output.samples.append("\(user.reference): \(refusal.violations.map(\.rule).joined(separator: ", "))")
    } catch StoreError.refused(.accountExists) {
      // The user was deleted since.
    }
  }
}
