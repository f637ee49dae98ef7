import GatehouseAdminWire
import GatehouseWire

/// `gatehouse tenant disable`.
enum TenantDisable {
  static let command = Command(
    "tenant", "disable", summary: "Switch a tenant off: no user gets in, nothing is lost",
    arguments: [OperatorCommand.tenant],
    examples: [
      Example("gatehouse tenant disable vibes", "every server follows within a second"),
      Example("gatehouse tenant disable vibes --dry-run", "only check that the tenant exists"),
      Example("gatehouse tenant disable vibes --yes", "without questions, in a script"),
    ], exits: [.notFound: "no such tenant", .unavailable: "the database failed"], mutating: true, settings: .backend,
    run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.backend(invocation) { backend in
      let tenant = try invocation.argument(OperatorCommand.tenant.name)
      try await TenantVerb.change(tenant, SetTenantOperation.Input(tenant: tenant, enabled: false), backend, invocation)
      invocation.terminal.note("\(tenant) is disabled\(invocation.isDryRun ? " (not really: a dry run)" : "")")
      return .ok
    }
  }
}
