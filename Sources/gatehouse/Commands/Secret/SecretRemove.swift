import GatehouseAdminWire
import GatehouseWire

/// `gatehouse secret remove`.
enum SecretRemove {
  static let command = Command(
    "secret", "remove", summary: "Forget a named secret of a tenant",
    arguments: [OperatorCommand.tenant, Argument("NAME", "the secret's name")],
    examples: [
      Example("gatehouse secret remove vibes spotify_client", "asks for the name first"),
      Example("gatehouse secret remove vibes spotify_client --yes", "without questions"),
      Example("gatehouse secret remove vibes spotify_client --dry-run", "say what would go"),
    ], exits: [.notFound: "no such tenant or secret", .unavailable: "the database failed"], mutating: true,
    settings: .backend,
    run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.backend(invocation) { backend in
      let tenant = try invocation.argument(OperatorCommand.tenant.name)
      let name = try invocation.argument("NAME")
      try invocation.confirm(
        ["Requests to providers that use \(Visible.line(name)) will fail from now on."], typing: name)
      if invocation.isDryRun {
        invocation.terminal.note("\(Visible.line(name)) of \(tenant) would be forgotten")
        return .ok
      }
      _ = try await backend.send(RemoveSecretOperation.self, .init(tenant: tenant, name: name))
      invocation.terminal.note("\(Visible.line(name)) of \(tenant) is forgotten")
      return .ok
    }
  }
}
