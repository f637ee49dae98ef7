import GatehouseIdentity
import GatehouseAdminWire
import GatehouseWire

/// `gatehouse tenant delete`.
enum TenantDelete {
  static let command = Command(
    "tenant", "delete", summary: "Delete a disabled tenant and everything in it, for good",
    notes: ["Only a disabled tenant is deleted: gatehouse tenant disable TENANT comes first."],
    arguments: [OperatorCommand.tenant],
    examples: [
      Example("gatehouse tenant delete vibes", "asks for the name first"),
      Example("gatehouse tenant delete vibes --dry-run", "say what would go"),
      Example("gatehouse tenant delete vibes --yes", "without questions, in a script"),
    ],
    exits: [
      .no: "the tenant is enabled", .notFound: "no such tenant", .unavailable: "the database failed",
    ], mutating: true, settings: .backend,
    run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.backend(invocation) { backend in
      let tenant = try await backend.send(
        ShowTenantOperation.self, .init(tenant: try invocation.argument(OperatorCommand.tenant.name)))
      // Before the question, whose answer would be for nothing.
      guard !tenant.enabled else { throw DeleteTenant.isEnabled(tenant.name) }
      let loss =
        "\(tenant.name): \(tenant.accounts) accounts, their sessions, keys, policies and audit log will be gone, for good."
      try invocation.confirm([loss], typing: tenant.name)
      if invocation.isDryRun {
        invocation.terminal.note(loss)
        return .ok
      }
      _ = try await backend.send(DeleteTenantOperation.self, .init(tenant: tenant.name))
      invocation.terminal.note("\(tenant.name) is gone")
      return .ok
    }
  }
}
