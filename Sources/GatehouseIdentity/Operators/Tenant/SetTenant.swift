package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse tenant set`, `enable` and `disable`. No user signs in to a disabled tenant; nothing of it is lost.
package enum SetTenant {
  package static func run(_ input: SetTenantOperation.Input, _ call: OperatorCall) async throws -> TenantSummary {
    var tenant = try await call.tenant(input.tenant)
    if let name = input.displayName {
      guard !name.isEmpty else { throw Refusal.malformed("/display_name", "must not be empty") }
      let before = tenant.displayName
      tenant.displayName = try OperatorCall.line(name, "display_name", limit: 200)
      let details = ["display_name": tenant.displayName, "changed.display_name": "\(before) -> \(tenant.displayName)"]
      try await call.services.directory.update(tenant, audit: try call.entry(.tenantChanged, details: details))
    }
    if let enabled = input.enabled {
      tenant.enabled = enabled
      try await call.services.directory.update(
        tenant, audit: try call.entry(.tenantChanged, details: ["enabled": String(enabled)]))
    }
    return TenantSummary(tenant)
  }
}
