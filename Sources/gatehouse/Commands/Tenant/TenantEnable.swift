import GatehouseAdminWire
import GatehouseWire

/// `gatehouse tenant enable`.
enum TenantEnable {
  static let command = Command(
    "tenant", "enable", summary: "Switch a tenant on again", arguments: [OperatorCommand.tenant],
    examples: [
      Example("gatehouse tenant enable vibes", "every server follows within a second"),
      Example("gatehouse tenant enable vibes --dry-run", "only check that the tenant exists"),
      Example("gatehouse tenant enable vibes --yes", "without questions, in a script"),
    ], exits: [.notFound: "no such tenant", .unavailable: "the database failed"], mutating: true, settings: .backend,
    run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.backend(invocation) { backend in
      let tenant = try invocation.argument(OperatorCommand.tenant.name)
      try await TenantVerb.change(tenant, SetTenantOperation.Input(tenant: tenant, enabled: true), backend, invocation)
      invocation.terminal.note("\(tenant) is enabled\(invocation.isDryRun ? " (not really: a dry run)" : "")")
      return .ok
    }
  }
}
