import GatehouseWire

/// What the verbs that change one tenant share.
enum TenantVerb {
  /// Changes it; a dry run only looks whether there is such a tenant.
  static func change(
    _ tenant: String, _ input: SetTenantOperation.Input, _ office: Office, _ invocation: Invocation
  ) async throws {
    if invocation.isDryRun {
      _ = try await office.send(ShowTenantOperation.self, .init(tenant: tenant))
    } else {
      _ = try await office.send(SetTenantOperation.self, input)
    }
  }
}
