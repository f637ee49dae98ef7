// Where the caller is signed in, and the push token of the device in their hand.

import GatehousePolicy
import GatehousePrimitives
package import GatehouseWire

package enum ListSessions {
  package static func run(_ input: Nothing, _ call: Call, _ services: Services) async throws
    -> ListSessionsEndpoint.Output
  {
    let me = try await call.signedIn(services)
    let sessions = try await services.store.open(call.tenant.id).sessions(of: me.user.id)
    return ListSessionsEndpoint.Output(
      items: sessions.filter { $0.isLive(at: call.now, under: call.policy.sessions) }.map { session in
        SessionRecord(
          id: session.id.text, device: Device(name: session.deviceName), place: session.place,
          createdAt: Timestamp(session.createdAt),
          lastSeenAt: Timestamp(session.lastSeenAt),
          expiresAt: Timestamp(session.end(under: call.policy.sessions)),
          current: session.id == me.session.id)
      })
  }
}

package enum EndSession {
  /// Refuses `not_found` for a session that is not the caller's, also when it is another user's.
  package static func run(_ input: EndSessionEndpoint.Input, _ call: Call, _ services: Services) async throws -> Nothing
  {
    let me = try await call.signedIn(services)
    let store = services.store.open(call.tenant.id)
    guard let id = SessionID(text: input.id), let found = try await store.session(id: id),
      found.user.id == me.user.id, found.session.isLive(at: call.now, under: call.policy.sessions)
    else { throw Refusal(.notFound) }
    try await LastSession(of: me.user, call, services).end(
      { $0.id == id },
      [
        // A user who ends another session does not know its device, or does not trust it any more.
        .device(.forget(of: id)), .session(.end(id, .revoked)),
        .audit(call.entry(.sessionEnded, services, actor: .user(me.user.id), user: me.user.id, session: id)),
      ], as: .caller(me, restingOn: .session))
    return Nothing()
  }
}

package enum KeepPushToken {
  package static func run(_ input: KeepPushTokenEndpoint.Input, _ call: Call, _ services: Services) async throws
    -> Nothing
  {
    let me = try await call.signedIn(services)
    try await services.store.open(call.tenant.id).commit(
      [.session(.setPushToken(me.session.id, try token(input, me, call)))], as: .caller(me, restingOn: .session))
    return Nothing()
  }

  private static func token(_ input: KeepPushTokenEndpoint.Input, _ me: SignedIn, _ call: Call) throws -> PushToken? {
    guard let text = input.pushToken else { return nil }
    guard (1...4096).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Refusal.malformed("/push_token", "1 to 4096 visible ASCII characters")
    }
    guard let platform = input.platform.flatMap(PushToken.Platform.init(rawValue:)) else {
      throw Refusal.malformed("/platform", "\"apns\" or \"fcm\"")
    }
    let vault = call.tenant.vault
    return PushToken(
      platform: platform, sealed: try vault.seal(Array(text.utf8), for: .pushToken(me.session.id)),
      digest: PushToken.digest(Array(text.utf8), platform, in: vault))
  }
}
