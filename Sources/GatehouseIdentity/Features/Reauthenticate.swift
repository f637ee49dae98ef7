// A fresh proof by a signed-in user: a second factor, the password again, a mailed code, or a new sign-in at a
// provider.

import Foundation
import GatehousePolicy
import GatehousePrimitives
package import GatehouseWire

extension FreshWay {
  /// The current password.
  package static let password = FreshWay(
    name: "password", members: ["password"], isOpen: { user, call, _ in user.signsInByPassword(call.policy) },
    prove: { input, me, call, services in
      // GUARD: password door: reauthentication
      try call.policy.demandPassword()
      return FreshProof(proofs: try await Reauthenticate.prove(input.password ?? "", me, call, services))
    })

  /// A new sign-in at a provider.
  package static let provider = FreshWay(
    name: "provider", members: ["provider", "id_token"], optional: ["nonce"],
    isOpen: { user, call, services in
      call.policy.providers.contains { user.provesItself(at: $0, call, services) }
    },
    prove: { input, me, call, services in
      try await Reauthenticate.prove(
        input.provider ?? "", input.idToken ?? "", nonce: input.nonce, me, call, services)
    })
}

package enum Reauthenticate {
  /// The session answer for the same session with a fresh `auth_time` and a new access token. A refresh token that was
  /// sent along is exchanged as at `/v1/token`; without one the stored one stays good, and the answer has none.
  ///
  /// Refuses `refresh_token_invalid` for a refresh token that is not this session's, which is not spent, and
  /// `session_revoked` for a replay.
  package static func run(_ input: ReauthenticateEndpoint.Input, _ call: Call, _ services: Services) async throws
    -> SessionAnswer
  {
    let (joined, refreshToken) = try await join(input, call, services)
    return try joined.answer(refreshToken: refreshToken, call, services)
  }

  /// The same, for any client: the session, and the refresh token in the place of the one that was sent.
  package static func join(_ input: ReauthenticateEndpoint.Input, _ call: Call, _ services: Services) async throws
    -> (session: JoinedSession, refreshToken: String?)
  {
    try await call.naming(input.provider) { try await again(input, call, services) }
  }

  private typealias Joined = (session: JoinedSession, refreshToken: String?)

  private static func again(_ input: ReauthenticateEndpoint.Input, _ call: Call, _ services: Services) async throws
    -> Joined
  {
    let signedIn = try await call.signedIn(services)
    // Before the proof: a wrong token costs no attempt at a password, and uses up no ID token.
    _ = try await exchange(input.refreshToken, signedIn, call, services)
    let way = try FreshWay.asked(by: input)
    // GUARD: fresh proof: of an account that owes a second factor by one alone
    let isOwed = SecondProof.isOwed(by: signedIn.user.facts, call)
    guard way.isSecond ? signedIn.user.factors.contains(way.name) : !isOwed else {
      throw Refusal.reauthentication(of: signedIn, call, services)
    }
    let proof = try await way.prove(input, signedIn, call, services)
    guard let token = proof.token else { return try await renew(input, proof, signedIn, call, services) }
    return try await token.exchange.once { try await renew(input, proof, signedIn, call, services) }
  }

  private static func renew(
    _ input: ReauthenticateEndpoint.Input, _ fresh: FreshProof, _ signedIn: SignedIn, _ call: Call, _ services: Services
  ) async throws -> Joined {
    // The token may be spent, and another proof may have joined, between the look and the commit: then they are looked
    // at again. What the proof rests on stays what the request looked at first.
    var first: Session? = signedIn.session
    return try await retryOnConflict(
      [.refused(.refreshTokenIsUnspent), .refused(.proofsAreAsSeen)], attempts: 3, note: "a session kept changing"
    ) {
      let seen = if let session = first.take() { session } else { try await call.signedIn(services).session }
      let exchange = try await exchange(input.refreshToken, signedIn, call, services)
      do {
        let session = try await Completion.join(
          fresh.proofs, to: seen, of: signedIn,
          with: fresh.using + (fresh.token?.taking ?? []) + (exchange.rotation.map { [.session(.rotate($0))] } ?? []),
          using: fresh.code, counters: fresh.counted, call, services)
        return (session, exchange.successor)
      } catch StoreError.refused(.factorIsUnused) {
        throw Refusal(.codeInvalid)
      } catch StoreError.refused(.ticketIsLive) {
        throw Refusal(.codeExpired)
      }
    }
  }

  /// The handling of the refresh token in the request.
  private struct Exchange {
    /// Nil where no token was sent, and where its exchange was made before.
    var rotation: Rotation?
    /// The text of the token to answer.
    var successor: String?
  }

  private static func exchange(
    _ text: String?, _ signedIn: SignedIn, _ call: Call, _ services: Services
  ) async throws -> Exchange {
    guard let text else { return Exchange() }
    guard let presented = PresentedRefreshToken(text, under: call.retryKey),
      let found = try await presented.find(call, services),
      // GUARD: reauthentication: a refresh token of this session
      found.session.id == signedIn.session.id
    else {
      await call.noteRefused(token: "refresh", services)
      throw Refusal(.refreshTokenInvalid)
    }
    guard found.token.spentAt != nil else {
      let (rotation, successor) = try presented.exchange(call)
      return Exchange(rotation: rotation, successor: successor)
    }
    return Exchange(successor: try await Token.successor(of: found, orEndFor: presented, call, services))
  }

  /// Demands a fresh proof: one of the last five minutes, or, of an account that owes no second factor, the right
  /// current password in the request itself.
  /// Refuses `reauthentication_required` when there is neither, and for a password where that door is closed;
  /// `invalid_credentials` for a wrong one.
  static func demand(password: String?, _ signedIn: SignedIn, _ call: Call, _ services: Services) async throws {
    if let password,
      // GUARD: password door: proof by a password
      call.policy.hasPassword,
      // GUARD: second factor: no password alone
      !SecondProof.isOwed(by: signedIn.user.facts, call)
    {
      _ = try await prove(password, signedIn, call, services)
    } else if (password != nil && !call.policy.hasPassword) || !signedIn.isRecent(call) {
      throw Refusal.reauthentication(of: signedIn, call, services)
    }
  }

  /// Checks the password; wrong ones count like those of a sign-in.
  static func prove(_ password: String, _ signedIn: SignedIn, _ call: Call, _ services: Services) async throws
    -> Proofs
  {
    let verified = try await PasswordVerification(password: password, owner: .caller(signedIn))
      .verified(call, services)
    // GUARD: hash: made anew at a fresh proof
    let upgrade = await verified.upgrade(call, services)
    try await services.store.open(call.tenant.id).commit(
      verified.returned + upgrade, as: .caller(signedIn, restingOn: .session))
    return Proofs(of: signedIn.user.id, by: .password, call)
  }

  /// Checks an ID token that was made just now, for the person whose account it is.
  fileprivate static func prove(
    _ name: String, _ token: String, nonce: String?, _ signedIn: SignedIn, _ call: Call, _ services: Services
  ) async throws -> FreshProof {
    let provider = try call.policy.signInProvider(name)
    guard
      // GUARD: fresh proof: by a provider that proves one
      signedIn.user.provesItself(at: provider, call, services)
        || !signedIn.user.links.contains(where: { $0.provider == provider.name })
    else { throw Refusal.reauthentication(of: signedIn, call, services) }
    try await Limiting.reserve(.federatedSignIn, call, services)
    // An older ID token proves that the person was there once, not who is here now.
    let exchange = try ProviderExchange(provider, call, services)
    let proven = try await exchange.proven(
      idToken: token, nonce: nonce,
      // GUARD: id token: an old one is no fresh proof
      maximumAge: Int64(SignedIn.recentSeconds),
      freshSince: 0)
    let user = proven.user
    let known = try await services.store.open(call.tenant.id).identity(issuer: user.issuer, subject: user.subject)
    // GUARD: id token: proves the owner of this account
    guard known?.user.id == signedIn.user.id else {
      try await refused(signedIn, call, services)
      throw Refusal(.providerTokenInvalid)
    }
    return FreshProof(
      proofs: Proofs(of: signedIn.user.id, by: .provider, isActive: proven.isActive, call),
      token: (exchange, proven.taking))
  }

  private static func refused(_ signedIn: SignedIn, _ call: Call, _ services: Services) async throws {
    try await services.store.open(call.tenant.id).commit(
      [
        call.bounded(
          .signInFailed, services, user: signedIn.user.id, session: signedIn.session.id,
          details: ["reason": "reauthentication", "method": Proof.Method.provider.reference])
      ], as: .anonymous)
  }
}
