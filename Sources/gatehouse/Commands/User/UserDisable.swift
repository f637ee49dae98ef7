import GatehouseAdminWire
import GatehouseWire

/// `gatehouse user disable`.
enum UserDisable {
  static let command = Command(
    "user", "disable", summary: "Switch an account off and end its sessions",
    arguments: [OperatorCommand.tenant, UserVerb.user],
    examples: [
      Example("gatehouse user disable dd-ride willie@ksu.edu", "by address"),
      Example("gatehouse user disable dd-ride willie@ksu.edu --dry-run", "only say what would happen"),
      Example("gatehouse user disable dd-ride willie@ksu.edu --yes", "without questions, in a script"),
    ], exits: UserVerb.exits, mutating: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await UserVerb.run(invocation, done: "disabled") { backend, tenant, user in
      _ = try await backend.send(
        SetUserOperation.self, .init(tenant: tenant, user: user.id, disabled: true))
    }
  }
}
