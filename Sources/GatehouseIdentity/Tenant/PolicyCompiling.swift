package import GatehousePolicy
import GatehousePolicyFile

extension TenantLoader {
  /// A stored revision as a policy. It was checked when it was applied and is not judged again, only read.
  package static func compile(_ revision: PolicyRevision, of tenant: TenantName) throws -> Policy {
    switch PolicyFile.read(revision.text, name: "\(tenant) revision \(revision.number)") {
    case .success(let file): return file.policy
    case .failure(let refusal): throw LoadFailure(reason: refusal.text())
    }
  }
}
