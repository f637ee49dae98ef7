import GatehouseAdminWire
import GatehouseWire

/// `gatehouse user send-reset`.
enum UserSendReset {
  static let command = Command(
    "user", "send-reset", summary: "Mail a user a link to set a new password",
    notes: ["It is refused where `providers:` of the policy does not name `password`."],
    arguments: [OperatorCommand.tenant, UserVerb.user],
    examples: [
      Example("gatehouse user send-reset dd-ride willie@ksu.edu", "by address"),
      Example("gatehouse user send-reset dd-ride willie@ksu.edu --dry-run", "only say what would happen"),
      Example("gatehouse user send-reset dd-ride willie@ksu.edu --yes", "without questions, in a script"),
    ], exits: UserVerb.exits, mutating: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await UserVerb.run(invocation, done: "sent a link") { backend, tenant, user in
      _ = try await backend.send(SendUserResetOperation.self, .init(tenant: tenant, user: user.id))
    }
  }
}
