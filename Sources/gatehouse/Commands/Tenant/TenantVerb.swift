import GatehouseAdminWire
import GatehouseWire

/// The common parts of the commands that change one tenant.
enum TenantVerb {
  /// Changes it; a dry run only looks whether there is such a tenant.
  static func change(
    _ tenant: String, _ input: SetTenantOperation.Input, _ backend: OperatorBackend, _ invocation: Invocation
  ) async throws {
    if invocation.isDryRun {
      _ = try await backend.send(ShowTenantOperation.self, .init(tenant: tenant))
    } else {
      _ = try await backend.send(SetTenantOperation.self, input)
    }
  }
}
