// The caller's own record: read, change, delete.

package import GatehousePolicy
package import GatehouseWire

package enum Me {
  /// The record as it is now, and how it stands with the policy of now.
  package static func read(_ input: Nothing, _ call: Call, _ services: Services) async throws -> MeAnswer {
    let me = try await call.signedIn(services)
    return answer(me.user, in: me.session, .present(call.now), to: .`self`, call)
  }

  /// Changes the given fields, judged at door `update_profile` as their owner.
  package static func update(_ input: UpdateMeEndpoint.Input, _ call: Call, _ services: Services) async throws
    -> MeAnswer
  {
    let me = try await call.signedIn(services)
    let changed = try await UpdateProfile.run(
      input.profile, of: me.user, at: .updateProfile, writer: .user, actor: .user(me.user.id),
      as: .caller(me, restingOn: .session), call, services)
    return answer(changed, in: me.session, .present(call.now), to: .`self`, call)
  }

  /// Deletes the account and all that belongs to it, and mails so to a proven address. Refuses
  /// `reauthentication_required` without a fresh proof.
  package static func delete(_ input: DeleteMeEndpoint.Input, _ call: Call, _ services: Services) async throws
    -> Nothing
  {
    let signedIn = try await call.signedIn(services)
    try await Reauthenticate.demand(password: input.password, signedIn, call, services)
    let id = signedIn.user.id
    // The row first: with the person goes what it says of where they were.
    try await services.store.open(call.tenant.id).commit(
      [
        .limit(.clearFailures(SignInKey(call.tenant, of: signedIn.user))),
        .audit(call.entry(.userDeleted, services, actor: .user(id), user: id)), .user(.delete(id)),
      ] + Messaging.deleted(signedIn.user, call, services), as: signedIn.proven)
    return Nothing()
  }

  /// `session`: the one that asks; nil where another person does.
  package static func answer(
    _ user: StoredUser, in session: Session?, _ seen: Sightings, to viewer: Viewer, _ call: Call
  ) -> MeAnswer {
    let standing = call.policy.standing(of: user, in: session, at: call.now)
    return MeAnswer(
      user: Views.user(user, seen, call, to: viewer), access: standing.access.rawValue, next: standing.next,
      requirements: Requirements.make(standing.next, call), offers: session.flatMap { _ in Offers.make(user, call) },
      claims: AccessTokens.revision(user, access: standing.access, call))
  }
}
