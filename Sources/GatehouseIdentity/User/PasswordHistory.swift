// A new password beside the account's last ones, for rules of the kind `not_last`. What is compared with is hashes, so
// each of them costs as much as a sign-in: none is looked at before the caller has shown who they are and every other
// rule has passed.

import Foundation
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

enum PasswordHistory {
  /// The policy's decision about a new password of an account. Refuses `rate_limited` where too many were compared
  /// within an hour.
  ///
  /// The hashes are checked one after another, each in a turn of its own, so that one person's change keeps no other
  /// waiting for more than one of them.
  static func decide(_ facts: Facts, at door: Door, of user: StoredUser, _ call: Call, _ services: Services)
    async throws
    -> Decision
  {
    let first = call.policy.decide(
      door, facts, at: call.now, using: PasswordHistoryFacts(services.facts, position: nil))
    let count = call.policy.passwordsCompared(at: door, at: call.now)
    guard
      first.allow,  // GUARD: history: looked at where everything else passed
      count > 0, let password = facts.password
    else { return first }
    // GUARD: history: comparisons are counted
    try await Limiting.reserve(.comparedPassword(user.id), call, services)
    let position = try await position(of: password, among: count, of: user.id, call, services)
    return call.policy.decide(
      door, facts, at: call.now, using: PasswordHistoryFacts(services.facts, position: position))
  }

  /// 0 for the present password, 1 for the one before; nil for none of the last `count`.
  private static func position(
    of password: String, among count: Int, of user: UserID, _ call: Call, _ services: Services
  ) async throws -> Int? {
    let hashes = try await services.store.open(call.tenant.id).passwordHashes(of: user, atMost: count)
    for (position, hash) in hashes.enumerated() {
      let permit = try await services.passwords.permit(for: call.tenant.id)
      if case .matches = try await services.passwords.verify(password, against: hash, in: permit) { return position }
    }
    return nil
  }

  /// How many earlier passwords are kept beside a new one: with it, as many as the policy remembers.
  static func kept(_ call: Call) -> Int { max(0, call.policy.passwordsRemembered(at: call.now) - 1) }
}
