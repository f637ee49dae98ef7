import GatehouseIdentity

/// `gatehouse tenant delete`.
enum TenantDelete {
  static let command = Command(
    "tenant", "delete", summary: "Delete a tenant and everything in it, for good", arguments: [OperatorCommand.tenant],
    examples: [
      Example("gatehouse tenant delete vibes", "asks for the name first"),
      Example("gatehouse tenant delete vibes --dry-run", "say what would go"),
      Example("gatehouse tenant delete vibes --yes", "without questions, in a script"),
    ], exits: [.notFound: "no such tenant", .unavailable: "the database failed"], mutating: true, settings: .store,
    run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.run(invocation) { services, tenant, _ in
      let people = try await services.store.open(tenant.id).accountCount()
      let loss =
        "\(tenant.name): \(people) accounts, their sessions, keys, policies and audit trail will be gone, for good."
      try invocation.confirm([loss], typing: tenant.name.description)
      if invocation.isDryRun {
        invocation.terminal.note(loss)
        return .ok
      }
      try await Tenants.delete(tenant, services)
      invocation.terminal.note("\(tenant.name) is gone")
      return .ok
    }
  }
}
