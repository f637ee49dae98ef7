// Steps that every way of setting a password shares.

import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

enum NewPassword {
  /// The hash of a password that the policy allows at `door`, and the warnings about it; refuses `validation_failed`
  /// otherwise, and `rate_limited`. The caller has shown already who they are.
  static func judgeAndHash(
    _ password: String, at door: Door, of user: StoredUser, as authority: Authority, _ call: Call,
    _ services: Services
  ) async throws -> (phc: String, warnings: [RuleWarning]) {
    let facts = Facts(password: password, stored: user.facts)
    let decision = try await PasswordHistory.decide(facts, at: door, of: user, call, services)
    await call.noteMissingLists(decision, services)
    // GUARD: door: new password
    guard decision.allow else { throw Refusal(.validationFailed, violations: decision.violations) }
    try await services.store.open(call.tenant.id).commit(
      call.exceptionsUsed(decision, services, actor: .user(user.id), user: user.id), as: authority)
    let phc = try await services.passwords.hash(password, in: services.passwords.permit(for: call.tenant.id))
    return (phc, Warnings.make(decision, call))
  }

  /// The writes: the hash, an end to every session but `keeping`, no failed attempts, and none of the codes that this
  /// `ending` makes void.
  static func changes(
    _ user: StoredUser, phc: String, keeping session: SessionID?, _ ending: CodeEnding, _ call: Call
  ) -> [Change] {
    [
      .user(.setPassword(user.id, phc: phc, remembering: PasswordHistory.kept(call))),
      .device(.forgetAll(user.id, except: session)),  // GUARD: password changed: devices are forgotten
      // GUARD: password changed: other sessions end
      .session(.endAll(user.id, except: session, .passwordChanged)),
      .limit(.clearAllFailures(SignInKey(call.tenant, of: user))),
      .code(.void(user.id, by: ending)),
    ]
  }
}
