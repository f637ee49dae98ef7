import GatehousePolicy
import GatehousePolicyFile
package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse policy diff`: what differs between a revision, the live one unless another is named, and a text that is
/// asked about, and what would keep it from being applied.
package enum DiffPolicy {
  package static func run(_ input: DiffPolicyOperation.Input, _ call: OperatorCall) async throws
    -> DiffPolicyOperation.Output
  {
    let tenant = try await call.tenant(input.tenant)
    let (number, old) = try await revision(input.revision, of: tenant, call.services)
    let candidate = try await PolicyCandidate(
      input.text, file: try OperatorCall.fileName(input.file), call.services
    ).besideLive(of: tenant, call.services)
    let (new, notes) = (try candidate.asked(), candidate.check.notes)
    return DiffPolicyOperation.Output(
      revision: number, items: differences(old, new, call.services), notes: notes.isEmpty ? nil : notes)
  }

  /// The file of a revision, or of the live one. Throws `OperatorError` where there is none, or none can be read.
  static func revision(_ number: Int?, of tenant: TenantRecord, _ services: Services) async throws -> (Int, PolicyFile)
  {
    let store = services.store.open(tenant.id)
    let found = if let number { try await store.revision(number) } else { try await store.newestRevision() }
    guard let found else {
      guard let number else { throw OperatorError(.notFound, "\(tenant.name) has no policy") }
      throw OperatorError(
        .notFound, "\(tenant.name) has no revision \(number)", hint: "gatehouse policy history \(tenant.name)")
    }
    switch services.files.file(of: found, of: tenant.name) {
    case .success(let file): return (found.number, file)
    case .failure(let refusal): throw OperatorError(.refused, refusal.text())
    }
  }

  static func differences(_ old: PolicyFile, _ new: PolicyFile, _ services: Services) -> [PolicyDifference] {
    PolicyFile.diff(old, new, now: services.clock.now).map { change in
      PolicyDifference(
        relation: change.relation.rawValue, subject: change.subject, sentence: change.told,
        oldLine: change.oldLine, newLine: change.newLine,
        trust: change.isTrust ? true : nil)
    }
  }
}
