package import GatehouseAdminWire
import GatehousePrimitives
import GatehouseWire

/// `gatehouse user list --deleted`: the deleted users that can be brought back.
package enum ListDeletedUsers {
  package static func run(_ input: ListDeletedUsersOperation.Input, _ call: OperatorCall) async throws
    -> ListDeletedUsersOperation.Output
  {
    let seen = try await call.call(input.tenant)
    let limit = try OperatorCall.limit(input.limit)
    var look = DeletedUserLook(seen)
    (look.since, look.until) = (input.since?.date, input.until?.date)
    look.cursor = try cursor(input.cursor)
    let found = try await call.store(of: seen).deletedUsers(look, limit: limit + 1)
    let items = found.prefix(limit)
    return ListDeletedUsersOperation.Output(
      items: items.map {
        DeletedUserSummary(
          id: $0.id.text, email: $0.email.map(DomainName.shown(inAddress:)), deletedAt: Timestamp($0.deletedAt),
          eraseAt: Timestamp(seen.erases($0)))
      }, nextCursor: found.count > limit ? items.last?.id.text : nil)
  }

  static func cursor(_ text: String?) throws -> UserID? {
    try text.map { text in
      guard let id = UserID(text: text) else { throw Refusal.malformed("/cursor", "is not from this list") }
      return id
    }
  }
}
