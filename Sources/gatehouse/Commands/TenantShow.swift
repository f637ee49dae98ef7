import GatehouseIdentity
import GatehousePrimitives

/// `gatehouse tenant show`.
enum TenantShow {
  static let command = Command(
    "tenant", "show", summary: "Show one tenant: its addresses, policy revision and people",
    arguments: [OperatorCommand.tenant],
    examples: [
      Example("gatehouse tenant show dd-ride", "for a person"),
      Example("gatehouse tenant show dd-ride --output json", "for a script"),
      Example("gatehouse tenant show messai", "of another app"),
    ], exits: [.notFound: "no such tenant", .unavailable: "the database failed"], prints: true, settings: .store,
    run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.run(invocation) { services, tenant, call in
      let people = try await services.store.open(tenant.id).accountCount()
      try invocation.print(
        Record(
          "tenant",
          [
            ("name", "tenant", .text(tenant.name.description)), ("display_name", "name", .text(tenant.displayName)),
            ("enabled", "enabled", .boolean(tenant.enabled)), ("issuer", "issuer", .text(call.tenant.issuer)),
            ("revision", "policy revision", .integer(call.tenant.revision)),
            ("digest", "policy digest", .text(Hex.encode(call.tenant.digest))),
            ("accounts", "accounts", .integer(people)),
            ("created_at", "created", UserVerb.time(tenant.createdAt)),
          ]))
      return .ok
    }
  }
}
