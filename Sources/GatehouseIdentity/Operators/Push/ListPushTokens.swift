import GatehousePolicy
package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse push list`: push tokens, as a backend of the app reads them. The audit log counts them and holds none.
package enum ListPushTokens {
  /// Users of one call.
  private static let mostUsers = 1000

  package static func run(_ input: ListPushTokensOperation.Input, _ call: OperatorCall) async throws
    -> ListPushTokensOperation.Output
  {
    let seen = try await call.call(input.tenant)
    guard (1...mostUsers).contains(input.users.count) else {
      throw Refusal.malformed("/users", "must be 1 to \(mostUsers) ids")
    }
    let users = Set(try input.users.enumerated().map { try PushTokens.user($0.element, "/users/\($0.offset)") })
    let limit = try OperatorCall.limit(input.limit, 1000)
    let place = try input.cursor.map(cursor)
    let found = try await call.store(of: seen).pushTokens(
      of: Array(users), under: seen.policy.sessions, after: place, limit: limit + 1)
    let page = found.prefix(limit)
    var items: [PushAddress] = []
    var known: Set<PushAddress> = []
    for stored in page {
      let item = PushAddress(
        user: stored.user.text, platform: stored.token.platform.rawValue, token: try PushTokens.text(stored, seen))
      if known.insert(item).inserted { items.append(item) }
    }
    // GUARD: push tokens: each reading is in the trail
    try await call.store(of: seen).commit(
      [
        .audit(
          try call.entry(
            .pushTokensRead, details: ["count": String(items.count), "users": String(users.count)]))
      ], as: .operator)
    let last = found.count > limit ? page.last : nil
    return ListPushTokensOperation.Output(
      items: items, nextCursor: last.map { "\($0.user.text) \($0.session.text)" })
  }

  private static func cursor(_ text: String) throws -> (UserID, SessionID) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let user = UserID(text: parts[0]), let session = SessionID(text: parts[1]) else {
      throw Refusal.malformed("/cursor", "is not from this list")
    }
    return (user, session)
  }
}
