import GatehouseAdminWire
import GatehouseWire

/// `gatehouse tenant show`.
enum TenantShow {
  static let command = Command(
    "tenant", "show", summary: "Show one tenant: its addresses, policy revision and users",
    arguments: [OperatorCommand.tenant],
    examples: [
      Example("gatehouse tenant show dd-ride", "for a person"),
      Example("gatehouse tenant show dd-ride --output json", "for a script"),
      Example("gatehouse tenant show messai", "of another app"),
    ], exits: [.notFound: "no such tenant", .unavailable: "the database failed"], prints: true, settings: .backend,
    run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.backend(invocation) { backend in
      let tenant = try await backend.send(
        ShowTenantOperation.self, .init(tenant: try invocation.argument(OperatorCommand.tenant.name)))
      try invocation.print(
        Record(
          "tenant",
          [
            ("name", "tenant", .text(tenant.name)), ("display_name", "name", .text(tenant.displayName)),
            ("enabled", "enabled", .boolean(tenant.enabled)), ("issuer", "issuer", .text(tenant.issuer)),
            ("revision", "policy revision", .integer(tenant.revision)),
            ("digest", "policy digest", .text(tenant.digest)),
            ("accounts", "accounts", .integer(tenant.accounts)),
            ("created_at", "created", .time(Int(tenant.createdAt.seconds))),
          ]))
      return .ok
    }
  }
}
