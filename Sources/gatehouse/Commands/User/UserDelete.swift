import GatehouseAdminWire
import GatehouseWire

/// `gatehouse user delete`.
enum UserDelete {
  static let command = Command(
    "user", "delete", summary: "Delete an account and all that belongs to it",
    arguments: [OperatorCommand.tenant, UserVerb.user],
    examples: [
      Example("gatehouse user delete dd-ride willie@ksu.edu", "by address"),
      Example("gatehouse user delete dd-ride willie@ksu.edu --dry-run", "only say what would happen"),
      Example("gatehouse user delete dd-ride willie@ksu.edu --yes", "without questions, in a script"),
    ], exits: UserVerb.exits, mutating: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await UserVerb.run(
      invocation, losing: { ["\(UserVerb.name($0)) and everything stored about them will be gone, for good."] },
      done: "deleted"
    ) { backend, tenant, user in
      _ = try await backend.send(DeleteUserOperation.self, .init(tenant: tenant, user: user.id))
    }
  }
}
