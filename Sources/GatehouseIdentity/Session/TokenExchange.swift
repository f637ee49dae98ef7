// The exchange of a refresh token for its successor, which /v1/token and /v1/reauthenticate have in common.

import Foundation
import GatehousePolicy
import GatehousePrimitives

/// A refresh token as a request presents it.
struct PresentedRefreshToken {
  /// SHA-256 of the token.
  let hash: [UInt8]
  /// What the request is known by when it comes again: SHA-256 over the token, which is of one length, and the request's key. No key of
  /// a server goes into it, so that a retry is known by every server, after a restore and after years. Nil without a key.
  let retryDigest: [UInt8]?

  /// Nil for what no refresh token can be. `key` is the request's `Idempotency-Key`.
  init?(_ text: String, under key: String?) {
    guard let hash = OpaqueToken.digest(of: text, kind: .refresh) else { return nil }
    self.hash = hash
    retryDigest = key.map { SHA256.digest("gatehouse refresh retry " + text + " " + $0) }
  }

  /// The exchange for a new token, and the new token's text.
  func exchange(_ call: Call) throws -> (rotation: Rotation, successor: String) {
    let child = OpaqueToken.generate(.refresh)
    let text = child.text.expose { $0 }
    let sealed = try call.tenant.vault.seal(Array(text.utf8), for: .refreshSuccessor(hash: hash))
    let rotation = Rotation(
      spent: hash, successor: child.digest, sealedSuccessor: sealed, retryDigest: retryDigest,
      idleTTL: call.policy.sessions.refreshIdleTTL, maxTTL: call.policy.sessions.refreshMaxTTL)
    return (rotation, text)
  }

  /// Whether this is the request that spent the token, come again. Without a key on either side it is not.
  func repeats(_ spent: RefreshToken) -> Bool {
    guard let retryDigest, let stored = spent.retryDigest,
      // GUARD: refresh: late under its own key
      ConstantTime.equal(stored, retryDigest)
    else { return false }
    return true
  }
}

extension Refresh {
  /// The token that followed a spent one, as long as it is unspent itself: while the grace lasts, and to the request that spent the
  /// token for as long as the session lives. Nil for a replay.
  static func successor(
    of found: RefreshLookup, for presented: PresentedRefreshToken, _ call: Call, _ services: Services
  ) async throws -> String? {
    guard found.token.spentAt != nil, let sealed = found.token.sealedSuccessor,
      let successor = found.token.successorHash,
      isWithinGrace(found, call) || presented.repeats(found.token),
      let next = try await services.store.open(call.tenant.id).refreshToken(hash: successor)?.token,
      // GUARD: refresh: no grace once the successor is spent
      next.spentAt == nil
    else { return nil }
    return try call.tenant.vault.open(sealed, for: .refreshSuccessor(hash: found.token.hash))
      .expose { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether a spent token may still come again, from any holder.
  static func isWithinGrace(_ found: RefreshLookup, _ call: Call) -> Bool {
    guard let spentAt = found.token.spentAt else { return false }
    // GUARD: refresh: the grace ends
    return found.now.timeIntervalSince(spentAt) < Double(call.policy.sessions.reuseGrace)
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
}
