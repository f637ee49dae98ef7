// Refresh: each token is exchanged once. A token that comes again within the grace gets the same successor (an answer was
// lost on the way); later, somebody has a copy, and the whole family ends.

import Foundation
import GatehousePolicy
import GatehousePrimitives
package import GatehouseWire

package enum Refresh {
  /// Refuses `refresh_token_invalid` for what is unknown, expired or another tenant's; `session_revoked` for a replay and
  /// for any token of a session that ended; `account_disabled`.
  package static func run(_ input: TokenEndpoint.Input, _ call: Call, _ services: Services) async throws
    -> SessionAnswer
  {
    guard input.include == nil || input.include == "user" else {
      throw Refusal.malformed("/include", "only \"user\" can be included")
    }
    guard let hash = OpaqueToken.digest(of: input.refreshToken, kind: .refresh) else {
      throw Refusal(.refreshTokenInvalid)
    }
    let store = services.store.open(call.tenant.id)
    // Somebody may spend the token between our look and our write: then look again, and find it spent.
    for _ in 0..<3 {
      guard let found = try await store.refreshToken(hash: hash) else { throw Refusal(.refreshTokenInvalid) }
      try judge(found, call)
      if found.token.spentAt != nil { return try await repeatOrRevoke(found, input, call, services) }
      do {
        return try await rotate(found, input, call, services)
      } catch StoreError.refused(.refreshTokenIsUnspent) {
        continue
      } catch StoreError.refused(.sessionIsLive) {
        throw Refusal(.sessionRevoked)
      }
    }
    throw Refusal(.conflict, note: "a refresh token kept changing")
  }

  private static func judge(_ found: RefreshLookup, _ call: Call) throws {
    guard found.session.endedAt == nil else { throw Refusal(.sessionRevoked) }
    guard found.session.isLive(at: found.now), found.session.isWithin(call.policy.sessions, at: found.now) else {
      throw Refusal(.refreshTokenInvalid)
    }
    guard found.account.disabledAt == nil else { throw Refusal(.accountDisabled) }
  }

  private static func rotate(
    _ found: RefreshLookup, _ input: TokenEndpoint.Input, _ call: Call, _ services: Services
  ) async throws -> SessionAnswer {
    let child = OpaqueToken.generate(.refresh)
    let text = child.text.expose { $0 }
    let idle = call.now.addingTimeInterval(TimeInterval(call.policy.sessions.refreshIdleTTL))
    try await services.store.open(call.tenant.id).commit([
      .rotate(
        spent: found.token.hash,
        sealedSuccessor: try call.tenant.vault.seal(
          Array(text.utf8), for: .refreshSuccessor(hash: found.token.hash)),
        successor: RefreshToken(hash: child.digest, session: found.session.id, createdAt: call.now),
        idleExpiresAt: min(idle, found.session.expiresAt))
    ])
    return try answer(found, refreshToken: text, input, call, services)
  }

  /// A spent token: its successor again while the grace lasts and the successor itself is unspent, the end otherwise.
  private static func repeatOrRevoke(
    _ found: RefreshLookup, _ input: TokenEndpoint.Input, _ call: Call, _ services: Services
  ) async throws -> SessionAnswer {
    let store = services.store.open(call.tenant.id)
    if let spentAt = found.token.spentAt, let sealed = found.token.sealedSuccessor,
      let successor = found.token.successorHash,
      found.now.timeIntervalSince(spentAt) < Double(call.policy.sessions.reuseGrace),
      try await store.refreshToken(hash: successor)?.token.spentAt == nil
    {
      let text = try call.tenant.vault.open(sealed, for: .refreshSuccessor(hash: found.token.hash))
        .expose { String(decoding: $0, as: UTF8.self) }
      return try answer(found, refreshToken: text, input, call, services)
    }
    try await store.commit([
      .endSession(found.session.id, .reuse),
      .audit(
        call.entry(
          .tokenReused, services, actor: .anonymous, account: found.account.id, session: found.session.id)),
    ])
    throw Refusal(.sessionRevoked)
  }

  private static func answer(
    _ found: RefreshLookup, refreshToken: String, _ input: TokenEndpoint.Input, _ call: Call, _ services: Services
  ) throws -> SessionAnswer {
    try SessionAnswers.make(
      found.account, found.session, refreshToken: refreshToken,
      standing: call.policy.standing(of: found.account, at: call.now), warnings: [],
      includeUser: input.include == "user", call, services)
  }
}

extension Session {
  /// Neither of the two ends that the policy of this moment sets has passed: one that became shorter binds sessions that
  /// were opened before, too; one that became longer does not lengthen them.
  fileprivate func isWithin(_ rules: Sessions, at now: Date) -> Bool {
    now < createdAt.addingTimeInterval(TimeInterval(rules.refreshMaxTTL))
      && now < lastSeenAt.addingTimeInterval(TimeInterval(rules.refreshIdleTTL))
  }
}
