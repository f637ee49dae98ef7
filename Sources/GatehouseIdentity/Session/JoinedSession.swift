import GatehousePolicy
package import GatehousePrimitives
import GatehouseWire

/// A session that is open, after more proofs joined it.
package struct JoinedSession: Sendable {
  package var user: StoredUser
  package let session: Session
  /// The credential of its client from now on, where the proofs raised the session's level: it goes on under another
  /// id, so that what was there before the proof opens nothing more (OWASP, session fixation). Nil where it is as
  /// before.
  package let credential: Secret<String>?

  /// The session answer. `refreshToken`: the one to answer where the session has no other credential.
  func answer(refreshToken: String? = nil, _ call: Call, _ services: Services) throws -> SessionAnswer {
    try SessionAnswers.make(
      user, session, refreshToken: credential?.expose { $0 } ?? refreshToken,
      standing: call.policy.standing(of: user, in: session, at: call.now), warnings: [], includeUser: true, call,
      services)
  }
}

/// The part of a joined session that is kept for the form of a page, which may come twice.
private struct KeptJoin: Encodable {
  /// The credential from now on; nil where it is as before.
  let secret: String?
  /// The recovery codes that were made beside it.
  let codes: [String]?
}

extension Completion {
  /// Joins fresh proofs to a session that is open, in one commit with `changes` and the use of a `code`. `counters`
  /// come last. With a key, the credential is kept for it, and the recovery `codes` that `changes` store. Refuses
  /// `forbidden` for proofs of another account, and throws the store's refusals.
  static func join(
    _ fresh: Proofs, to session: Session, of caller: SignedIn, with changes: [Change], using code: Redeemed?,
    codes: [String]? = nil, counters: [Change] = [], _ call: Call, _ services: Services
  ) async throws -> JoinedSession {
    var joined = session
    joined.proofs = try session.proofs.joined(by: fresh)
    var details = ["method": fresh.newest.method.reference]
    var credential: SessionCredential?
    var change = SessionChange.reauthenticate(session.id, joined.proofs, seen: session.proofs)
    // GUARD: raised session: another id
    if joined.proofs.level >= .aal2, joined.proofs.level > session.proofs.level {
      joined.id = SessionID(services.clock.makeID())
      let made = SessionCredential(of: joined, at: call.now)
      credential = made
      change = .raise(session.id, to: joined, by: made.stored, seen: session.proofs)
      details["raised_to"] = joined.id.text
    }
    let kept = try call.keeping(
      KeptJoin(secret: credential?.text.expose { $0 }, codes: codes), status: ReauthenticateEndpoint.status,
      about: session.user)
    let all: [Change] =
      changes + kept + [
        .session(change),
        .audit(
          call.entry(
            .reauthenticated, services, actor: .user(session.user), user: session.user, session: session.id,
            details: details)),
      ] + counters
    if let code {
      try await Redemption.commit(code, all, as: caller.proven, call, services)
    } else {
      try await services.store.open(call.tenant.id).commit(all, as: caller.proven)
    }
    return JoinedSession(user: caller.user, session: joined, credential: credential?.text)
  }
}
