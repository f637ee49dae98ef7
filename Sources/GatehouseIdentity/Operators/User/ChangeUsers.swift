package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse user delete`, `disable` and `revoke` with a filter: one batch of the users that it finds. A call that was
/// interrupted has changed whole users, and the next one goes on.
package enum ChangeUsers {
  /// How long a batch may take before it answers.
  private static let longest = Duration.seconds(2)
  private static let most = 100

  package static func run(_ input: ChangeUsersOperation.Input, _ call: OperatorCall) async throws
    -> ChangeUsersOperation.Output
  {
    let seen = try await call.call(input.tenant)
    guard let change = input.change.known else { throw Refusal.malformed("/change", "is delete, disable or revoke") }
    let filter = UserFilter(
      query: input.query, unverified: input.unverified, since: input.since, until: input.until, call.services)
    // GUARD: user changes: a filter that finds everyone changes none
    guard !filter.isEmpty else { throw Refusal(.malformedRequest, detail: "name a filter: all users is none") }
    let store = call.store(of: seen)
    if input.dryRun == true {
      // Ids grow with time: users made from now on stand before this place, and are left alone.
      let place = UserID(call.services.clock.makeID())
      return .init(found: try await store.userCount(filter), nextCursor: place.text)
    }
    let cursor = try input.cursor.map { text in
      guard let id = UserID(text: text) else { throw Refusal.malformed("/cursor", "is not from this operation") }
      return id
    }
    let limit = try OperatorCall.limit(input.limit, most, atMost: most)
    let users = try await store.users(filter, after: cursor, limit: limit)
    let end = ContinuousClock.now + longest
    var changed = 0
    for (index, user) in users.enumerated() {
      if try await apply(change, to: user, seen, call) { changed += 1 }
      let isLast = index == users.count - 1
      if isLast && users.count < limit { break }
      if isLast || ContinuousClock.now >= end { return .init(changed: changed, nextCursor: user.id.text) }
    }
    return .init(changed: changed)
  }

  /// Whether the user was still there.
  private static func apply(
    _ change: ChangeUsersOperation.Change, to user: StoredUser, _ seen: Call, _ call: OperatorCall
  ) async throws -> Bool {
    do {
      switch change {
      case .delete:
        try await DeleteUser.remove(user, mailing: Messaging.deleted(user, seen, call.services), seen, call)
      case .disable:
        guard user.disabledAt == nil else { return false }
        _ = try await DisableUser.run(user, true, actor: try call.author().actor, as: .operator, seen, call.services)
      case .revoke: try await RevokeSessions.end(nil, of: user, seen, call)
      }
      return true
    } catch StoreError.refused {
      return false
    }
  }
}
