// Refresh: each token is exchanged once. A token that comes again within the grace gets the same successor (an answer
// was lost on the way), and so does, however late, the request that spent it, known by its Idempotency-Key. Any other
// use of a spent token is that of a copy, and the whole family ends.

import Foundation
import GatehousePolicy
import GatehousePrimitives
package import GatehouseWire

package enum Token {
  /// Takes exactly one of a refresh token and a code, which `AuthorizationCode` redeems. Of a refresh token it refuses
  /// `refresh_token_invalid` for what is unknown, expired or another tenant's; `account_disabled`, in
  /// any state of the session; `session_revoked` for a replay and for any token of a session that ended.
  package static func run(_ input: TokenEndpoint.Input, _ call: Call, _ services: Services) async throws
    -> SessionAnswer
  {
    if let code = input.code {
      return try await AuthorizationCode.redeem(
        code, by: try verifier(of: input), on: input.device, call, services)
    }
    let exchanged = try await exchange(try refreshToken(input), call, services)
    // A session that began before the demand is asked as well.
    let asking = call.policy.asking(exchanged.user, at: call.now)
    if !asking.isEmpty { try await services.store.open(call.tenant.id).commit(asking, as: .job) }
    return try SessionAnswers.make(
      exchanged.user, exchanged.session, refreshToken: exchanged.successor,
      // GUARD: refresh: access is judged anew
      standing: call.policy.standing(of: exchanged.user, in: exchanged.session, at: call.now),
      warnings: [], includeUser: input.include == "user", call, services)
  }

  /// A session after the exchange of its refresh token.
  struct Exchanged {
    let user: StoredUser
    let session: Session
    /// The text of the token that follows.
    let successor: String
  }

  /// Exchanges a refresh token of the request's client. Refuses as `run` does.
  static func exchange(_ text: String, _ call: Call, _ services: Services) async throws -> Exchanged {
    guard let presented = PresentedRefreshToken(text, under: call.retryKey) else {
      await call.noteRefused(token: "refresh", services)
      throw Refusal(.refreshTokenInvalid)
    }
    // A token may be spent, or its successor asked for, between a write and a look: then all is tried again.
    return try await retryOnConflict(
      [.refused(.refreshTokenIsUnspent)], attempts: 3, note: "a refresh token kept changing"
    ) {
      if let exchanged = try await rotate(presented, call, services) { return exchanged }
      guard let found = try await presented.find(call, services) else {
        await call.noteRefused(token: "refresh", services)
        throw Refusal(try await presented.isErased(call, services) ? .sessionRevoked : .refreshTokenInvalid)
      }
      do {
        try judge(found, call)
      } catch {
        await call.note(
          .sessionUsedAfterEnd, about: found.session.id.text, services, user: found.user.id,
          session: found.session.id)
        throw error
      }
      guard found.token.spentAt != nil else { throw StoreError.refused(.refreshTokenIsUnspent) }
      let text = try await successor(of: found, orEndFor: presented, call, services)
      return Exchanged(user: found.user, session: found.session, successor: text)
    }
  }

  /// The refresh token of an exchange. Refuses what only a code has.
  private static func refreshToken(_ input: TokenEndpoint.Input) throws -> String {
    guard let text = input.refreshToken else {
      throw Refusal.malformed("/refresh_token", "missing, and so is code: exactly one of them is needed")
    }
    guard input.codeVerifier == nil else { throw Refusal.malformed("/code_verifier", "only beside code") }
    guard input.device == nil else { throw Refusal.malformed("/device", "only beside code") }
    guard input.include == nil || input.include == "user" else {
      throw Refusal.malformed("/include", "only \"user\" can be included")
    }
    return text
  }

  /// The verifier of a code's redemption. Refuses a redemption whose shape is wrong.
  private static func verifier(of input: TokenEndpoint.Input) throws -> CodeVerifier {
    // GUARD: token: a code or a refresh token
    guard input.refreshToken == nil else {
      throw Refusal.malformed("/code", "not beside refresh_token: exactly one of them is needed")
    }
    guard input.include == nil else {
      throw Refusal.malformed("/include", "not beside code, whose answer always has the user")
    }
    guard let text = input.codeVerifier else { throw Refusal.malformed("/code_verifier", "missing") }
    guard let verifier = CodeVerifier(rawValue: text) else {
      throw Refusal.malformed("/code_verifier", "43 to 128 unreserved characters")
    }
    return verifier
  }

  /// The good case: one statement. Nil when the token is not there unspent, or not in a living session.
  private static func rotate(
    _ presented: PresentedRefreshToken, _ call: Call, _ services: Services
  ) async throws -> Exchanged? {
    let (rotation, successor) = try presented.exchange(call)
    do {
      guard let (session, user) = try await services.store.open(call.tenant.id).rotate(rotation) else { return nil }
      return Exchanged(user: user, session: session, successor: successor)
    } catch StoreError.refused(.sessionIsLive), StoreError.refused(.userIsEnabled) {
      return nil
    }
  }

  private static func judge(_ found: RefreshLookup, _ call: Call) throws {
    // Disabling ends all sessions: that they ended would hide why.
    // GUARD: refresh: a disabled account is named first
    guard found.user.disabledAt == nil else { throw Refusal(.accountDisabled) }
    guard found.session.endedAt == nil else { throw Refusal(.sessionRevoked) }
    guard found.session.isLive(at: found.now, under: call.policy.sessions) else { throw Refusal(.refreshTokenInvalid) }
  }
}
