import GatehouseAdminWire
import GatehouseWire

/// `gatehouse user unlock`.
enum UserUnlock {
  static let command = Command(
    "user", "unlock", summary: "Unlock a user after too many wrong passwords",
    notes: [
      "Delays after wrong passwords end, and so does a password that is disabled after a hundred of them. Wrong passwords count from zero again. A user who does not know the password needs gatehouse user send-reset instead."
    ],
    arguments: [OperatorCommand.tenant, UserVerb.user],
    examples: [
      Example("gatehouse user unlock dd-ride willie@ksu.edu", "by address"),
      Example("gatehouse user unlock dd-ride willie@ksu.edu --dry-run", "only say what would happen"),
      Example("gatehouse user unlock messai al@example.com", "of another app"),
    ], exits: UserVerb.exits, mutating: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await UserVerb.run(invocation, done: "unlocked") { backend, tenant, user in
      _ = try await backend.send(UnlockUserOperation.self, .init(tenant: tenant, user: user.id))
    }
  }
}
