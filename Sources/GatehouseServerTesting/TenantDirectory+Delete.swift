package import Foundation
package import GatehouseIdentity

extension TenantDirectory {
  /// Removes a tenant as an operator does: it is disabled first.
  package func disableAndDelete(_ tenant: TenantRecord, at now: Date) async throws {
    var disabled = tenant
    disabled.enabled = false
    try await update(
      disabled, audit: AuditEntry(id: UUID(), at: now, event: .tenantChanged, actor: "operator:test"))
    try await delete(
      tenant.id, record: AuditEntry(id: UUID(), at: now, event: .tenantDeleted, actor: "operator:test"))
  }
}
