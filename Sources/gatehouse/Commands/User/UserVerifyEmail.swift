import GatehouseAdminWire
import GatehouseWire

/// `gatehouse user verify-email`.
enum UserVerifyEmail {
  static let command = Command(
    "user", "verify-email", summary: "Mark a user's address as proven",
    arguments: [OperatorCommand.tenant, UserVerb.user],
    examples: [
      Example("gatehouse user verify-email dd-ride willie@ksu.edu", "by address"),
      Example("gatehouse user verify-email dd-ride willie@ksu.edu --dry-run", "only say what would happen"),
      Example("gatehouse user verify-email dd-ride willie@ksu.edu --yes", "without questions, in a script"),
    ], exits: UserVerb.exits, mutating: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await UserVerb.run(invocation, done: "verified") { backend, tenant, user in
      _ = try await backend.send(VerifyUserEmailOperation.self, .init(tenant: tenant, user: user.id))
    }
  }
}
