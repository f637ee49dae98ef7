import GatehouseAdminWire
import GatehouseWire

/// `gatehouse user mfa-reset`.
enum UserMFAReset {
  private static let reason = Flag("reason", .text(), "how the user was recognised, for the audit log")

  static let command = Command(
    "user", "mfa-reset", summary: "Remove all second factors of a user who lost them",
    notes: [
      "Recovery codes, remembered devices and sessions go with them. The user is told by mail. The first factor alone opens the account until another second factor is added, so make sure who asks before."
    ],
    arguments: [OperatorCommand.tenant, UserVerb.user], flags: [reason],
    examples: [
      Example(
        "gatehouse user mfa-reset dd-ride willie@ksu.edu --reason \"came to the desk with a passport\"", "by address"),
      Example(
        "gatehouse user mfa-reset dd-ride willie@ksu.edu --reason \"ticket 512\" --dry-run",
        "only say what would happen"),
      Example(
        "gatehouse user mfa-reset dd-ride willie@ksu.edu --reason \"ticket 512\" --yes",
        "without questions, in a script"),
    ], exits: UserVerb.exits, mutating: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    guard let why = invocation[reason] else {
      throw Failure(.usage, "say how the user was recognised", hint: "--reason \"came to the desk with a passport\"")
    }
    return try await UserVerb.run(
      invocation, losing: { ["all second factors, recovery codes and sessions of \(UserVerb.name($0)) will be gone."] },
      done: "left without second factors"
    ) { backend, tenant, user in
      _ = try await backend.send(ResetUserFactorsOperation.self, .init(tenant: tenant, user: user.id, reason: why))
    }
  }
}
