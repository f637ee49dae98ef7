package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse policy apply` of one file.
package enum ApplyPolicy {
  package static func run(_ input: ApplyPolicyOperation.Input, _ call: OperatorCall) async throws -> PolicyOutcome {
    let item = ApplyPoliciesOperation.Item(
      tenant: input.tenant, text: input.text, file: input.file, expecting: input.expecting)
    return try await ApplyPolicies.apply(
      [item], reason: input.reason, consent: Policies.Consent(input), isDryRun: input.dryRun ?? false, call)[0]
  }
}
