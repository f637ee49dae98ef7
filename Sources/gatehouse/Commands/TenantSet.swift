import GatehouseIdentity

/// `gatehouse tenant set`.
enum TenantSet {
  private static let displayName = Flag("display-name", .text(), "the name operators see in lists")

  static let command = Command(
    "tenant", "set", summary: "Change what a tenant is called", arguments: [OperatorCommand.tenant],
    flags: [displayName],
    examples: [
      Example("gatehouse tenant set dd-ride --display-name \"DD Ride\"", "in lists; people see the policy's app name"),
      Example("gatehouse tenant set vibes --display-name Vibes --dry-run", "only check"),
      Example("gatehouse tenant set messai --display-name messAI --yes", "in a script"),
    ],
    exits: [.notFound: "no such tenant", .unavailable: "the database failed"], mutating: true, settings: .store,
    run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    guard let name = invocation[displayName], !name.isEmpty else {
      throw Failure(.usage, "nothing to set: --display-name NAME")
    }
    return try await OperatorCommand.run(invocation) { services, tenant, _ in
      if !invocation.isDryRun {
        try await Tenants.rename(tenant, to: name, author: OperatorCommand.author(invocation), services)
      }
      invocation.terminal.note(
        "\(tenant.name) \(invocation.isDryRun ? "would be" : "is") called \(Visible.line(name))")
      return .ok
    }
  }
}
