package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse policy rollback`: the text of an older revision becomes the next one.
package enum RollbackPolicy {
  package static func run(_ input: RollbackPolicyOperation.Input, _ call: OperatorCall) async throws
    -> PolicyOutcome
  {
    let tenant = try await call.tenant(input.tenant)
    guard let old = try await call.services.store.open(tenant.id).revision(input.revision) else {
      throw OperatorError(
        .notFound, "\(tenant.name) has no revision \(input.revision)", hint: "gatehouse policy history \(tenant.name)")
    }
    let name = "revision \(input.revision)"
    let item = ApplyPoliciesOperation.Item(
      tenant: input.tenant, text: old.text, file: name, expecting: input.expecting)
    do {
      return try await ApplyPolicies.apply(
        [item], restoring: input.revision, reason: input.reason ?? "rollback to \(name)",
        consent: Policies.Consent(input),
        isDryRun: input.dryRun ?? false, call)[0]
    } catch let error as OperatorError {
      guard !error.consents.isEmpty else { throw error }
      throw error.hinting(
        "to roll back all the same: gatehouse policy rollback \(tenant.name) \(input.revision) \(error.consents.words())"
      )
    }
  }
}
