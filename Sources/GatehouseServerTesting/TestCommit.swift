package import GatehouseIdentity

extension TenantStore {
  /// Writes as an operator does. Tests of rows speak of the conditions of changes; `AuthorityTests` speak of
  /// authorities.
  package func commit(_ changes: [Change]) async throws { try await commit(changes, as: .operator) }
}
