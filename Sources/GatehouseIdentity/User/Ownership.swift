// Mail that is read proves an address. Whose the account is that waits for the address has to be proven besides:
// strangers make accounts at addresses of others, and ask for changes to them.

import Foundation
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// That the requester of a confirmation is the account's owner, as the commit has to demand it.
struct Ownership {
  let authority: Authority
  /// The changes of a right password: cleared failures and a new hash; they belong into the same commit.
  let changes: [Change]

  /// A session that is proof enough.
  enum Accepted {
    /// Every session of the account.
    case any
    /// The one that asked; or, of an account without a password, one with a proof of the last five minutes.
    case asking(SessionID?)
  }

  /// Proves it by the caller's session, or by the account's password. Wrong passwords count as failed sign-ins.
  ///
  /// Refuses `reauthentication_required` without either, `invalid_credentials`, `too_many_attempts`, `session_revoked`.
  static func demand(
    of user: StoredUser, password: String?, by accepted: Accepted, _ call: Call, _ services: Services
  ) async throws -> Ownership {
    if let owner = try await shown(of: user, by: accepted, call, services) { return owner }
    guard let password, call.policy.hasPassword else {
      // The ways to a proof are told to the account's own sessions alone.
      throw call.caller?.user == user.id
        ? Refusal.reauthentication(by: user.freshWays(call, services)) : Refusal(.reauthenticationRequired)
    }
    return try await prove(password, of: user, under: SignInKey(call.tenant, of: user), call, services).1
  }

  /// The same by the password alone, of an account that may not be there: the work and the refusal are those of a wrong
  /// password then. Counted as a sign-in at `email`; what a right one clears is committed.
  static func demand(password: String?, of user: StoredUser?, at email: String, _ call: Call, _ services: Services)
    async throws -> (user: StoredUser, authority: Authority)
  {
    guard let password, call.policy.hasPassword else { throw Refusal(.reauthenticationRequired) }
    let key = user.map { SignInKey(call.tenant, of: $0) } ?? SignInKey(call.tenant, email)
    let (user, owner) = try await prove(password, of: user, under: key, call, services)
    try await services.store.open(call.tenant.id).commit(owner.changes, as: owner.authority)
    return (user, owner.authority)
  }

  /// The same by the caller's session alone; nil where it is not proof enough.
  static func shown(of user: StoredUser, by accepted: Accepted, _ call: Call, _ services: Services) async throws
    -> Ownership?
  {
    // GUARD: ownership: of this account's session
    guard call.caller?.user == user.id else { return nil }
    return shown(try await call.signedIn(services), of: user, by: accepted, call)
  }

  /// The same by this session of the account.
  static func shown(_ me: SignedIn, of user: StoredUser, by accepted: Accepted, _ call: Call) -> Ownership? {
    accepted.grounds(for: me, call).map { grounds in
      // The account as it was looked at before: what is written rests on its address, too.
      Ownership(authority: .caller(SignedIn(session: me.session, user: user), restingOn: grounds), changes: [])
    }
  }

  private static func prove(
    _ password: String, of user: StoredUser?, under key: SignInKey, _ call: Call, _ services: Services
  ) async throws -> (StoredUser, Ownership) {
    let verified = try await PasswordVerification(password: password, owner: .account(user, under: key))
      .verified(call, services)
    // GUARD: hash: made anew at a confirmation
    let upgrade = await verified.upgrade(call, services)
    let owner = verified.look.user
    return (
      owner,
      Ownership(authority: .proven(owner.id, epoch: owner.epoch), changes: verified.returned + upgrade)
    )
  }
}

extension Ownership.Accepted {
  /// The grounds of a request that shows this session; nil where the session is not proof enough.
  fileprivate func grounds(for me: SignedIn, _ call: Call) -> Authority.Grounds? {
    guard case .asking(let session) = self else { return .session }
    // GUARD: ownership: of the session that asked
    if me.session.id == session { return .proof }
    let isRecent = me.isRecent(call)  // GUARD: ownership: by a fresh proof
    return !me.user.signsInByPassword(call.policy) && isRecent ? .proof : nil
  }
}
