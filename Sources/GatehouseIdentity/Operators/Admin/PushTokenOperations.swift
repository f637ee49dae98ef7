// Push tokens, as a backend of the app asks for them. The audit trail counts them and holds none.

import GatehousePolicy
import GatehousePrimitives
package import GatehouseWire

package enum PushTokenOperations {
  /// People of one call.
  private static let mostUsers = 1000

  package static func list(_ input: ListPushTokensOperation.Input, _ call: OperatorCall) async throws
    -> ListPushTokensOperation.Output
  {
    let seen = try await call.call(try await call.tenant(input.tenant))
    guard (1...mostUsers).contains(input.users.count) else {
      throw Refusal.malformed("/users", "must be 1 to \(mostUsers) ids")
    }
    let users = try input.users.enumerated().map { try user($0.element, "/users/\($0.offset)") }
    let limit = try OperatorCall.limit(input.limit, 1000)
    let place = try input.cursor.map(cursor)
    let found = try await call.services.store.open(seen.tenant.id).pushTokens(
      of: Array(Set(users)), under: seen.policy.sessions, after: place, limit: limit + 1)
    let page = found.prefix(limit)
    var items: [PushAddress] = []
    var known: Set<PushAddress> = []
    for stored in page {
      let item = PushAddress(
        user: stored.user.text, platform: stored.token.platform.rawValue, token: try text(stored, seen))
      if known.insert(item).inserted { items.append(item) }
    }
    // GUARD: push tokens: each reading is in the trail
    try await call.services.store.open(seen.tenant.id).commit(
      [
        .audit(
          try call.author().entry(
            .pushTokensRead, call.services,
            details: ["count": String(items.count), "users": String(Set(users).count)]))
      ], as: .operator)
    let last = found.count > limit ? page.last : nil
    return ListPushTokensOperation.Output(
      items: items, nextCursor: last.map { "\($0.user.text) \($0.session.text)" })
  }

  package static func remove(_ input: RemovePushTokenOperation.Input, _ call: OperatorCall) async throws
    -> RemovePushTokenOperation.Output
  {
    let seen = try await call.call(try await call.tenant(input.tenant))
    let user = try user(input.user, "/user")
    let store = call.services.store.open(seen.tenant.id)
    let rejected = try await store.pushTokens(of: [user], under: seen.policy.sessions, after: nil, limit: 1000)
      .filter { try text($0, seen).utf8.elementsEqual(input.token.utf8) }
    let removed = try await store.removePushTokens(
      rejected, of: user,
      noting: try call.author().entry(
        .pushTokenRemoved, call.services, details: ["count": String(rejected.count)]))
    return RemovePushTokenOperation.Output(removed: removed)
  }

  private static func text(_ stored: StoredPushToken, _ seen: Call) throws -> String {
    try seen.tenant.vault.open(stored.token.sealed, for: .pushToken(stored.session)).expose {
      String(decoding: $0, as: UTF8.self)
    }
  }

  private static func user(_ text: String, _ pointer: String) throws -> UserID {
    guard let id = UserID(text: text) else { throw Refusal.malformed(pointer, "is no user's id") }
    return id
  }

  private static func cursor(_ text: String) throws -> (UserID, SessionID) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let user = UserID(text: parts[0]), let session = SessionID(text: parts[1]) else {
      throw Refusal.malformed("/cursor", "is none of this list")
    }
    return (user, session)
  }
}
