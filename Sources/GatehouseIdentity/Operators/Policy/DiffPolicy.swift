import GatehousePolicy
import GatehousePolicyFile
package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse policy diff`: what differs between the live policy and a text that is asked about, and what would keep it
/// from being applied.
package enum DiffPolicy {
  package static func run(_ input: DiffPolicyOperation.Input, _ call: OperatorCall) async throws
    -> DiffPolicyOperation.Output
  {
    let tenant = try await call.tenant(input.tenant)
    guard let live = try await call.services.store.open(tenant.id).newestRevision() else {
      throw OperatorError(.notFound, "\(tenant.name) has no policy")
    }
    let candidate = PolicyCandidate(input.text, file: try OperatorCall.fileName(input.file), call.services)
    let (new, notes) = (try candidate.asked(), candidate.check.notes)
    let changes: [PolicyChange]
    switch call.services.files.file(of: live, of: tenant.name) {
    case .success(let old): changes = PolicyFile.diff(old, new, now: call.services.clock.now)
    case .failure(let refusal): throw OperatorError(.refused, refusal.text())
    }
    return DiffPolicyOperation.Output(
      revision: live.number,
      items: changes.map { change in
        PolicyDifference(
          relation: change.relation.rawValue, subject: change.subject, sentence: change.told,
          oldLine: change.oldLine, newLine: change.newLine,
          trust: change.isTrust ? true : nil)
      }, notes: notes.isEmpty ? nil : notes)
  }
}
