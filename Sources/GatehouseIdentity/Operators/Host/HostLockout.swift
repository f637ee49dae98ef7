import GatehousePolicy

/// Refuses a change of a tenant's hosts with which a passkey that is the only way in of any user proves no more.
enum HostLockout {
  /// Throws `OperatorError`. All users are judged only where the relying party changes.
  static func demand(
    _ hosts: [TenantHost], of tenant: TenantRecord, as change: String, isAllowed: Bool, _ call: OperatorCall
  ) async throws {
    // GUARD: host: lock-out needs its word
    guard !isAllowed else { return }
    let seen = try await call.call(tenant)
    func reach(_ hosts: [TenantHost]) -> PasskeyReach {
      PasskeyReach(seen.policy, hosts: hosts, publicURL: call.services.publicURL, at: seen.now)
    }
    let (before, after) = (reach(try await Hosts.of(tenant, call.services)), reach(hosts))
    guard let loss = before.loss(under: after) else { return }
    let lost = try await count(seen.policy, before, after, of: tenant, call.services)
    guard lost > 0 else { return }
    throw OperatorError(
      .notAllowed,
      "\(change) would lock people out, \(lost) without another way in than a passkey that would prove no more: \(loss.why)",
      hint: (loss.remedy.map { "\($0), in the policy; " } ?? "") + "to do it all the same, --allow-lockout")
  }

  private static func count(
    _ policy: Policy, _ before: PasskeyReach, _ after: PasskeyReach, of tenant: TenantRecord, _ services: Services
  ) async throws -> Int {
    let store = services.store.open(tenant.id)
    var lost = 0
    _ = try await UserScan.visitAhead(
      after: nil, within: nil, id: \.user.id, read: { try await store.users(after: $0, limit: $1) },
      visit: { user in
        if user.losesPasskey(user.waysIn(policy, before), user.waysIn(policy, after)) { lost += 1 }
      })
    return lost
  }
}
