import GatehouseAdminWire
import GatehouseWire

/// `gatehouse user disable`.
enum UserDisable {
  static let command = Command(
    "user", "disable", summary: "Switch an account off and end its sessions",
    notes: [UserBulk.note], arguments: [OperatorCommand.tenant, UserVerb.oneUser], flags: UserFilterFlags.all,
    examples: [
      Example("gatehouse user disable dd-ride willie@ksu.edu", "by address"),
      Example("gatehouse user disable dd-ride --contains @spam.example --since 1d", "all of one provider"),
      Example("gatehouse user disable dd-ride willie@ksu.edu --yes", "without questions, in a script"),
    ], exits: UserVerb.exits, mutating: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    if let filter = try UserFilterFlags.ofMany(invocation) {
      return try await UserBulk.run(
        .disable, filter, done: "disabled", loss: "they will be switched off and signed out.", invocation)
    }
    return try await UserVerb.run(invocation, done: "disabled") { backend, tenant, user in
      _ = try await backend.send(
        SetUserOperation.self, .init(tenant: tenant, user: user.id, disabled: true))
    }
  }
}
