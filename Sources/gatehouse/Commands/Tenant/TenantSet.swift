import GatehouseAdminWire
import GatehouseWire

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
    exits: [.notFound: "no such tenant", .unavailable: "the database failed"], mutating: true, settings: .backend,
    run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    guard let name = invocation[displayName], !name.isEmpty else {
      throw Failure(.usage, "nothing to set: --display-name NAME")
    }
    return try await OperatorCommand.backend(invocation) { backend in
      let tenant = try invocation.argument(OperatorCommand.tenant.name)
      try await TenantVerb.change(
        tenant, SetTenantOperation.Input(tenant: tenant, displayName: name), backend, invocation)
      invocation.terminal.note(
        "\(tenant) \(invocation.isDryRun ? "would be" : "is") called \(Visible.line(name))")
      return .ok
    }
  }
}
