// Changing the password: the current one is asked for, the other sessions end, the owner is told.

import GatehousePolicy
package import GatehouseWire

package enum ChangePassword {
  /// Refuses `invalid_credentials` for a wrong current password, `validation_failed` for a new one that the policy
  /// refuses, `reauthentication_required` for an account that owes a second factor without a fresh proof by one,
  /// `rate_limited` beyond ten changes an hour. A reset that waits for its mail to be read stays.
  package static func run(_ input: ChangePasswordEndpoint.Input, _ call: Call, _ services: Services) async throws
    -> ChangePasswordEndpoint.Output
  {
    // GUARD: password door: change of a password
    try call.policy.demandPassword()
    let signedIn = try await call.signedIn(services)
    let user = signedIn.user
    // GUARD: second factor: no change of a password by the password alone
    if SecondProof.isOwed(by: user.facts, call) { try signedIn.demandFreshProof(call, services) }
    _ = try await Reauthenticate.prove(input.currentPassword, signedIn, call, services)
    let (phc, warnings) = try await NewPassword.judgeAndHash(
      input.password, at: .setPassword, of: user, as: signedIn.proven, call, services)
    let answer = ChangePasswordEndpoint.Output(warnings: warnings)
    try await services.store.open(call.tenant.id).commitOrRefuse(
      NewPassword.changes(user, phc: phc, keeping: signedIn.session.id, .passwordChanged, call)
        + (try Messaging.notice(.passwordChanged, to: user, call, services))
        + [
          .audit(
            call.entry(
              .passwordChanged, services, actor: .user(user.id), user: user.id, session: signedIn.session.id))
        ] + call.keeping(answer, status: ChangePasswordEndpoint.status) + [
          .limit(.reserve(Limiting.passwordChange(user.id, call)))  // GUARD: password changed: so many an hour
        ], as: signedIn.proven)
    return answer
  }
}
