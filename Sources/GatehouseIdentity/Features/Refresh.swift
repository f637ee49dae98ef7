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
      await call.noteRefused(token: "refresh", services)
      throw Refusal(.refreshTokenInvalid)
    }
    // A token may be spent, or its successor asked for, between a write and a look: then all is tried again.
    for _ in 0..<3 {
      if let answer = try await rotate(hash, input, call, services) { return answer }
      guard let found = try await services.store.open(call.tenant.id).refreshToken(hash: hash) else {
        await call.noteRefused(token: "refresh", services)
        throw Refusal(.refreshTokenInvalid)
      }
      do {
        try judge(found, call)
      } catch {
        await call.note(
          .sessionUsedAfterEnd, about: found.session.id.text, services, account: found.account.id,
          session: found.session.id)
        throw error
      }
      if found.token.spentAt != nil { return try await repeatOrRevoke(found, input, call, services) }
    }
    throw Refusal(.conflict, note: "a refresh token kept changing")
  }

  /// The good case: one statement. Nil when the token is not there unspent, or not in a living session.
  private static func rotate(
    _ hash: [UInt8], _ input: TokenEndpoint.Input, _ call: Call, _ services: Services
  ) async throws -> SessionAnswer? {
    let child = OpaqueToken.generate(.refresh)
    let text = child.text.expose { $0 }
    let sealed = try call.tenant.vault.seal(Array(text.utf8), for: .refreshSuccessor(hash: hash))
    let rotation = Rotation(
      spent: hash, successor: child.digest, sealedSuccessor: sealed, idleTTL: call.policy.sessions.refreshIdleTTL,
      maxTTL: call.policy.sessions.refreshMaxTTL)
    do {
      guard let (session, account) = try await services.store.open(call.tenant.id).rotate(rotation) else { return nil }
      return try answer(account, session, refreshToken: text, input, call, services)
    } catch StoreError.refused(.sessionIsLive), StoreError.refused(.accountIsEnabled) {
      return nil
    }
  }

  private static func judge(_ found: RefreshLookup, _ call: Call) throws {
    guard found.session.endedAt == nil else { throw Refusal(.sessionRevoked) }
    guard found.session.isLive(at: found.now, under: call.policy.sessions) else { throw Refusal(.refreshTokenInvalid) }
    guard found.account.disabledAt == nil else { throw Refusal(.accountDisabled) }
  }

  /// A spent token: its successor again while the grace lasts, the end of the family otherwise.
  private static func repeatOrRevoke(
    _ found: RefreshLookup, _ input: TokenEndpoint.Input, _ call: Call, _ services: Services
  ) async throws -> SessionAnswer {
    if let text = try await successor(of: found, call, services) {
      return try answer(found.account, found.session, refreshToken: text, input, call, services)
    }
    try await endFamily(of: found, call, services)
    throw Refusal(.sessionRevoked)
  }

  /// The token that followed a spent one, while the grace lasts and it is unspent itself; nil for a replay.
  static func successor(of found: RefreshLookup, _ call: Call, _ services: Services) async throws -> String? {
    guard let spentAt = found.token.spentAt, let sealed = found.token.sealedSuccessor,
      let successor = found.token.successorHash,
      // GUARD: refresh: the grace ends
      found.now.timeIntervalSince(spentAt) < Double(call.policy.sessions.reuseGrace),
      // GUARD: refresh: no grace once the successor is spent
      try await services.store.open(call.tenant.id).refreshToken(hash: successor)?.token.spentAt == nil
    else { return nil }
    return try call.tenant.vault.open(sealed, for: .refreshSuccessor(hash: found.token.hash))
      .expose { String(decoding: $0, as: UTF8.self) }
  }

  /// Ends the session of a replayed token, and with it every token of the family.
  static func endFamily(of found: RefreshLookup, _ call: Call, _ services: Services) async throws {
    try await services.store.open(call.tenant.id).commit(
      [
        .forgetDevice(of: found.session.id),
        .endSession(found.session.id, .reuse),  // GUARD: refresh: a replay ends the family
        .audit(
          call.entry(
            .tokenReused, services, actor: .anonymous, account: found.account.id, session: found.session.id)),
      ], as: .anonymous)
  }

  private static func answer(
    _ account: Account, _ session: Session, refreshToken: String, _ input: TokenEndpoint.Input, _ call: Call,
    _ services: Services
  ) throws -> SessionAnswer {
    try SessionAnswers.make(
      account, session, refreshToken: refreshToken,
      standing: call.policy.standing(of: account, at: call.now),  // GUARD: refresh: access is judged anew
      warnings: [],
      includeUser: input.include == "user", call, services)
  }
}
