package import GatehousePolicy
package import GatehousePolicyFile

extension PolicyRevision {
  /// The stored text with the meaning that it was applied with. It was checked then and is not judged again; its tests
  /// are not read.
  package func file(of tenant: TenantName) -> Result<PolicyFile, PolicyFileRefusal> {
    PolicyFile.read(text, name: "\(tenant) revision \(number)", as: .stored(language))
  }
}

extension TenantLoader {
  /// A stored revision as a policy.
  package static func compile(_ revision: PolicyRevision, of tenant: TenantName) throws -> Policy {
    switch revision.file(of: tenant) {
    case .success(let file): return file.policy
    case .failure(let refusal): throw LoadFailure(reason: refusal.text())
    }
  }
}
