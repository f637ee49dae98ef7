import GatehousePrimitives
package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse tenant show`.
package enum ShowTenant {
  package static func run(_ input: ShowTenantOperation.Input, _ call: OperatorCall) async throws
    -> ShowTenantOperation.Output
  {
    let tenant = try await call.tenant(input.tenant)
    let seen = try await call.call(tenant)
    return ShowTenantOperation.Output(
      name: tenant.name.description, displayName: tenant.displayName, enabled: tenant.enabled,
      issuer: seen.tenant.issuer, revision: seen.tenant.revision, digest: Hex.encode(seen.tenant.digest),
      accounts: try await call.store(of: seen).userCount(), createdAt: Timestamp(tenant.createdAt))
  }
}
