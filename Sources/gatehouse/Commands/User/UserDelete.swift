import GatehouseAdminWire
import GatehouseWire

/// `gatehouse user delete`.
enum UserDelete {
  static let command = Command(
    "user", "delete", summary: "Delete an account and all that belongs to it",
    notes: [UserBulk.note], arguments: [OperatorCommand.tenant, UserVerb.oneUser], flags: UserFilterFlags.all,
    examples: [
      Example("gatehouse user delete dd-ride willie@ksu.edu", "by address"),
      Example("gatehouse user delete dd-ride --unverified --since 2h --dry-run", "count a wave of sign-ups"),
      Example("gatehouse user delete dd-ride willie@ksu.edu --yes", "without questions, in a script"),
    ], exits: UserVerb.exits, mutating: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    if let filter = try UserFilterFlags.ofMany(invocation) {
      return try await UserBulk.run(
        .delete, filter, done: "deleted", loss: "they and everything stored about them will be gone, for good.",
        invocation
      )
    }
    return try await UserVerb.run(
      invocation, losing: { ["\(UserVerb.name($0)) and everything stored about them will be gone, for good."] },
      done: "deleted"
    ) { backend, tenant, user in
      _ = try await backend.send(DeleteUserOperation.self, .init(tenant: tenant, user: user.id))
    }
  }
}
