// What every way of setting a password shares.

import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

enum NewPassword {
  /// The hash of a password that the policy allows at `door`; refuses `validation_failed` otherwise, and `rate_limited`. The caller has
  /// shown already who they are.
  static func judgeAndHash(
    _ password: String, at door: Door, of account: Account, as authority: Authority, _ call: Call,
    _ services: Services
  ) async throws -> String {
    let facts = Facts(password: password, stored: account.facts)
    let decision = try await PasswordHistory.decide(facts, at: door, of: account, call, services)
    await call.noteMissingLists(decision, services)
    // GUARD: door: new password
    guard decision.allow else { throw Refusal(.validationFailed, violations: decision.violations) }
    try await services.store.open(call.tenant.id).commit(
      call.exceptionsUsed(decision, services, actor: .user(account.id), account: account.id), as: authority)
    return try await services.passwords.hash(password, in: services.passwords.turn(for: call.tenant.id))
  }

  /// The writes: the hash, an end to every session but `keeping`, no failed attempts, and no outstanding code that could
  /// undo it.
  static func changes(_ account: Account, phc: String, keeping session: SessionID?, _ call: Call) -> [Change] {
    [
      .account(.setPassword(account.id, phc: phc, remembering: PasswordHistory.kept(call))),
      .device(.forgetAll(account.id, except: session)),  // GUARD: password changed: devices are forgotten
      // GUARD: password changed: other sessions end
      .session(.endAll(account.id, except: session, .passwordChanged)),
      .limit(.clearAllFailures(SignInKey(call.tenant, account.email))),
      .code(.void(account.id, [.resetPassword, .changeEmail])),
    ]
  }
}
