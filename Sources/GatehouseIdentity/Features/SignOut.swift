// Sign-out: this session, the others, or all of them. Presence follows: a person without a session is offline.

import GatehousePolicy
import GatehousePrimitives
package import GatehouseWire

package enum SignOut {
  /// With an access token, or with a refresh token once that has expired. Signing out of a session that is gone is no
  /// error: the person wanted it gone. A spent refresh token does here what it does at a refresh: within the grace it
  /// stands for its session, and a replay ends the family. The answer to a replay is that to the token of a session
  /// that is gone.
  package static func run(_ input: SignOutEndpoint.Input, _ call: Call, _ services: Services) async throws -> Nothing {
    guard let scope = Scope(rawValue: input.scope ?? "this") else {
      throw Refusal.malformed("/scope", "one of \"this\", \"others\", \"all\"")
    }
    do {
      if let me = try await caller(input, call, services) {
        try await end(scope, of: me, call, services)
        return Nothing()
      }
    } catch StoreError.refused(.sessionIsLive) {}
    // The last access token of an ended session cannot end another session.
    guard scope == .this else { throw Refusal(.sessionRevoked) }
    return Nothing()
  }

  private enum Scope: String { case this, others, all }

  private static func end(_ scope: Scope, of me: SignedIn, _ call: Call, _ services: Services) async throws {
    let (user, session) = (me.user.id, me.session.id)
    let end: Change =
      switch scope {
      case .this: .session(.end(session, .signedOut))
      case .others: .session(.endAll(user, except: session, .signedOut))
      case .all: .session(.endAll(user, except: nil, .signedOut))
      }
    var changes: [Change] = [
      end,
      .audit(
        call.entry(
          .sessionEnded, services, actor: .user(user), user: user, session: session,
          details: ["scope": scope.rawValue])),
    ]
    if scope != .this { changes.append(.device(.forgetAll(user, except: session))) }
    if scope != .others {
      changes.insert(.session(.setPresence(user, online: nil)), at: 1)
    }
    let ends: (Session) -> Bool =
      switch scope {
      case .this: { $0.id == session }
      case .others: { $0.id != session }
      case .all: { _ in true }
      }
    try await LastSession(of: me.user, call, services).end(ends, changes, as: .caller(me, restingOn: .session))
  }

  /// Nil for a session that is gone.
  private static func caller(_ input: SignOutEndpoint.Input, _ call: Call, _ services: Services) async throws
    -> SignedIn?
  {
    let store = services.store.open(call.tenant.id)
    if let caller = call.caller {
      guard let found = try await store.session(id: caller.session), found.user.id == caller.user,
        found.session.endedAt == nil
      else { return nil }
      return SignedIn(session: found.session, user: found.user)
    }
    guard let text = input.refreshToken else { throw Refusal(.unauthenticated) }
    guard let presented = PresentedRefreshToken(text, under: nil),
      let found = try await presented.find(call, services),
      found.session.endedAt == nil
    else { return nil }
    // GUARD: sign-out: not by an expired session
    guard found.session.isLive(at: found.now, under: call.policy.sessions) else {
      await call.note(
        .sessionUsedAfterEnd, about: found.session.id.text, services, user: found.user.id,
        session: found.session.id)
      return nil
    }
    if found.token.spentAt != nil, try await Token.successor(of: found, for: presented, call, services) == nil {
      // GUARD: sign-out: a replay ends the family
      try await Token.endFamily(of: found, call, services)
      return nil
    }
    return SignedIn(session: found.session, user: found.user)
  }
}
