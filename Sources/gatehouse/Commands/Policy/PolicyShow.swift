import GatehouseAdminWire
import GatehouseWire

/// `gatehouse policy show`.
enum PolicyShow {
  private static let revision = Flag(
    "revision", .integer(1...1_000_000_000), "an older revision instead of the live one")

  static let command = Command(
    "policy", "show", summary: "Print a tenant's policy, exactly as it was applied",
    arguments: [OperatorCommand.tenant], flags: [revision],
    examples: [
      Example("gatehouse policy show dd-ride", "the live text"),
      Example("gatehouse policy show dd-ride --revision 2", "an older one"),
      Example("gatehouse policy show dd-ride --data-dir /tmp/gatehouse", "of another server"),
    ],
    exits: [.notFound: "no such tenant or revision", .unavailable: "the database failed"], settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.backend(invocation) { backend in
      let found = try await backend.send(
        ShowPolicyOperation.self,
        .init(tenant: try invocation.argument(OperatorCommand.tenant.name), revision: invocation[revision]))
      try invocation.terminal.data(found.text.hasSuffix("\n") ? found.text : found.text + "\n")
      return .ok
    }
  }
}
