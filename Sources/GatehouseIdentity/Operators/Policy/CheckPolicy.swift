import GatehousePolicy
import GatehousePolicyFile
package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse policy check`: what is wrong with a file, where, and what became of its tests.
package enum CheckPolicy {
  package static func run(_ input: CheckPolicyOperation.Input, _ call: OperatorCall) async throws
    -> CheckPolicyOperation.Output
  {
    let file = try OperatorCall.fileName(input.file)
    var candidate = PolicyCandidate(input.text, file: file, call.services)
    if let name = candidate.check.file.flatMap({ TenantName($0.policy.tenant) }),
      let tenant = try await call.services.directory.tenant(name), call.who.reaches(tenant.id)
    {
      candidate = try await candidate.besideLive(of: tenant, call.services)
    }
    let check = candidate.check
    return CheckPolicyOperation.Output(
      good: check.isGood(), findings: check.diagnostics.map(PolicyFinding.init),
      tests: check.results.map { result in
        PolicyTestOutcome(
          name: result.name, result: result.outcome.result, finding: result.diagnostic.map(PolicyFinding.init))
      }, report: check.text(), live: try await live(check.file?.policy.tenant, call))
  }

  /// Notes about the live policy of a tenant, where there is one within reach.
  private static func live(_ name: String?, _ call: OperatorCall) async throws -> [String]? {
    guard let name = name.flatMap(TenantName.init), let tenant = try await call.services.directory.tenant(name),
      call.who.reaches(tenant.id),
      let revision = try await call.services.store.open(tenant.id).newestRevision(),
      case .success(let file) = call.services.files.file(of: revision, of: name)
    else { return nil }
    let door = try await KeptPasswordDoor.look(
      file.policy, revision: revision.number, of: (tenant.id, name), call.services)
    return door.map { ["\(name): \($0.sentence); \($0.advice)"] }
  }
}
