package import GatehouseAdminWire
package import GatehouseWire

/// `gatehouse tenant delete`: removes a disabled tenant and everything in it, for good. Its audit log goes too;
/// the installation's log keeps that it was deleted.
package enum DeleteTenant {
  package static func run(_ input: DeleteTenantOperation.Input, _ call: OperatorCall) async throws -> Nothing {
    let tenant = try await call.tenant(input.tenant)
    do {
      try await call.services.directory.delete(tenant.id, record: try call.record(.tenantDeleted, of: tenant))
    } catch StoreError.refused(.tenantIsDisabled) {
      throw isEnabled(tenant.name.description)
    }
    return Nothing()
  }

  /// Why an enabled tenant is not deleted, and what comes first.
  package static func isEnabled(_ name: String) -> OperatorError {
    OperatorError(
      .refused, "\(name) is enabled; only a disabled tenant is deleted", hint: "gatehouse tenant disable \(name)")
  }
}
