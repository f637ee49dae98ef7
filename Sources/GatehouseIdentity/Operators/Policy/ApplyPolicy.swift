package import GatehouseWire

/// `gatehouse policy apply` of one file.
package enum ApplyPolicy {
  package static func run(_ input: ApplyPolicyOperation.Input, _ call: OperatorCall) async throws -> PolicyOutcome {
    let candidate = PolicyCandidate(
      tenant: input.tenant, text: input.text, file: input.file, expecting: input.expecting)
    return try await ApplyPolicies.apply(
      [candidate], reason: input.reason,
      consent: Policies.Consent(
        weaker: input.allowWeaker ?? false, lockout: input.allowLockout ?? false,
        failingTests: input.allowFailingTests ?? false), isDryRun: input.dryRun ?? false, call)[0]
  }
}
