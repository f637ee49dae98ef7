// Whether a person is there. A sign-in sets it; apps set it when they come to the front or leave it.

import GatehousePolicy
package import GatehouseWire

package enum SetPresence {
  package static func run(_ input: SetPresenceEndpoint.Input, _ call: Call, _ services: Services) async throws
    -> SetPresenceEndpoint.Output
  {
    let me = try await call.signedIn(services)
    try await services.store.open(call.tenant.id).commit(
      [.session(.setPresence(me.user.id, online: input.online, by: me.session.id))],
      as: .caller(me, restingOn: .session))
    return SetPresenceEndpoint.Output(
      presence: Presence(online: input.online, lastSeen: Timestamp(call.now)),
      idleAfter: Int(call.policy.presence.idle))
  }
}
