package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse user sessions`.
package enum ListUserSessions {
  package static func run(_ input: ListUserSessionsOperation.Input, _ call: OperatorCall) async throws
    -> ListUserSessionsOperation.Output
  {
    let (user, seen) = try await call.user(input.user, of: input.tenant)
    let found = try await call.store(of: seen).sessions(of: user.id)
    return ListUserSessionsOperation.Output(
      items: found.map { session in
        UserSession(
          id: session.id.text, device: session.deviceName, place: session.place,
          createdAt: Timestamp(session.createdAt), lastSeenAt: Timestamp(session.lastSeenAt))
      })
  }
}
