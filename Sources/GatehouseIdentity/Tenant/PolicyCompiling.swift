package import GatehousePolicy
package import GatehousePolicyFile

extension PolicyRevision {
  /// The stored text with the meaning that it was applied with. It was checked then and is not judged again; its tests
  /// are not read.
  package func file(of tenant: TenantName) -> Result<PolicyFile, PolicyFileRefusal> {
    PolicyFile.read(text, name: name(of: tenant), as: .stored(language))
  }

  /// How messages call it.
  func name(of tenant: TenantName) -> String { "\(tenant) revision \(number)" }
}

extension TenantLoader {
  /// The policy of a stored revision's file.
  package static func compile(_ file: Result<PolicyFile, PolicyFileRefusal>) throws -> Policy {
    switch file {
    case .success(let file): return file.policy
    case .failure(let refusal): throw LoadFailure(reason: refusal.text())
    }
  }
}
