// Whether a person is there. Sign-in and sign-out set it; apps set it when they come to the front or leave it.

package import GatehouseWire

package enum SetPresence {
  package static func run(_ input: PresenceEndpoint.Input, _ call: Call, _ services: Services) async throws
    -> PresenceEndpoint.Output
  {
    let account = try await call.signedIn(services).account
    try await services.store.open(call.tenant.id).commit([.setPresence(account.id, online: input.online)])
    return PresenceEndpoint.Output(presence: Presence(online: input.online, lastSeen: Timestamp(call.now)))
  }
}
