// The exchange of a refresh token for its successor, which /v1/token and /v1/reauthenticate have in common.

import Foundation
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// A refresh token as a request presents it.
struct PresentedRefreshToken {
  /// SHA-256 of the token.
  let hash: [UInt8]
  /// The digest by which a repetition of the request is recognised: SHA-256 over the token, which is of one length, and
  /// the request's key. No key of a server goes into it, so that a retry is known by every server, after a restore and
  /// after years. Nil without a key.
  let retryDigest: [UInt8]?

  /// Nil for what no refresh token can be. `key` is the request's `Idempotency-Key`.
  init?(_ text: String, under key: String?) {
    guard let hash = OpaqueToken.digest(of: text, kind: .refresh) else { return nil }
    self.hash = hash
    retryDigest = key.map { SHA256.digest("gatehouse refresh retry " + text + " " + $0) }
  }

  /// The stored token, with its session. Nil for what is none of this client's.
  func find(_ call: Call, _ services: Services) async throws -> RefreshLookup? {
    guard let found = try await services.store.open(call.tenant.id).refreshToken(hash: hash),
      found.session.client == call.client.session  // GUARD: refresh: a token of this client
    else { return nil }
    return found
  }

  /// Whether the token went with its account. Its holder learns that the session is over.
  func isErased(_ call: Call, _ services: Services) async throws -> Bool {
    try await services.store.open(call.tenant.id).isErasedToken(hash: hash, of: call.client.session)
  }

  /// The exchange for a new token, and the new token's text.
  func exchange(_ call: Call) throws -> (rotation: Rotation, successor: String) {
    let child = OpaqueToken.generate(.refresh)
    let text = child.text.expose { $0 }
    let sealed = try call.tenant.vault.seal(Array(text.utf8), for: .refreshSuccessor(hash: hash))
    let rotation = Rotation(
      spent: hash, of: call.client.session, successor: child.digest, sealedSuccessor: sealed, retryDigest: retryDigest,
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

extension Token {
  /// The token that followed a spent one, where it may still be asked for. Refuses `conflict` to the request that spent
  /// the token, come again after its successor was spent as well: another process of the device has newer tokens, or a
  /// thief has, and the device knows which. A device that has none drops the key. Within the grace any other request
  /// is refused in the same way: three tabs of a browser are enough for that, and a thief gets nothing by it. After the
  /// grace the family ends: `session_revoked`.
  static func successor(
    of found: RefreshLookup, orEndFor presented: PresentedRefreshToken, _ call: Call, _ services: Services
  ) async throws -> String {
    if let text = try await successor(of: found, for: presented, call, services) { return text }
    // GUARD: refresh: an overtaken request ends nothing
    if presented.repeats(found.token) {
      throw Refusal(.conflict, note: "the refresh token's successor was exchanged as well")
    }
    // GUARD: refresh: a replay within the grace ends nothing
    if let seconds = graceLeft(of: found, call) {
      await call.note(
        .tokenReused, about: found.session.id.text, services, user: found.user.id, session: found.session.id,
        details: ["ended": "false"])
      throw Refusal(
        .conflict, retryAfter: seconds, note: "the refresh token's successor was exchanged as well, within the grace")
    }
    try await endFamily(of: found, call, services)
    throw Refusal(.sessionRevoked)
  }

  /// The token that followed a spent one, as long as it is unspent itself: while the grace lasts, and to the request
  /// that spent the token for as long as the session lives. Nil for a replay.
  static func successor(
    of found: RefreshLookup, for presented: PresentedRefreshToken, _ call: Call, _ services: Services
  ) async throws -> String? {
    guard found.token.spentAt != nil, let sealed = found.token.sealedSuccessor,
      let successor = found.token.successorHash,
      // GUARD: refresh: the grace ends
      graceLeft(of: found, call) != nil || presented.repeats(found.token),
      let next = try await services.store.open(call.tenant.id).refreshToken(hash: successor)?.token,
      // GUARD: refresh: no grace once the successor is spent
      next.spentAt == nil
    else { return nil }
    return try call.tenant.vault.open(sealed, for: .refreshSuccessor(hash: found.token.hash))
      .expose { String(decoding: $0, as: UTF8.self) }
  }

  /// The whole seconds that are left of a spent token's grace; nil after it.
  private static func graceLeft(of found: RefreshLookup, _ call: Call) -> Int? {
    guard let spentAt = found.token.spentAt else { return nil }
    let left = Double(call.policy.sessions.reuseGrace) - found.now.timeIntervalSince(spentAt)
    return left > 0 ? Int(left.rounded(.up)) : nil
  }

  /// Ends the session of a replayed token, and with it every token of the family.
  static func endFamily(of found: RefreshLookup, _ call: Call, _ services: Services) async throws {
    try await services.store.open(call.tenant.id).commit(
      [
        .device(.forget(of: found.session.id)),
        .session(.end(found.session.id, .reuse)),  // GUARD: refresh: a replay ends the family
        .audit(
          call.entry(
            .tokenReused, services, actor: .anonymous, user: found.user.id, session: found.session.id)),
      ], as: .anonymous)
  }
}
