import GatehouseAdminWire
import GatehouseWire

/// `gatehouse user set`.
enum UserSet {
  private static let condition = Flag(
    "where", .text("FIELD=VALUE", "a stored value"), "change all users who have this value, and name no user")

  static let command = Command(
    "user", "set", summary: "Set profile fields of a user, also those that only administrators write",
    notes: [
      "With --where the change is made user by user, each judged as if it were the only one. It may be stopped at any"
        + " moment and run again: changed users are not found a second time."
    ],
    arguments: [
      OperatorCommand.tenant, UserVerb.user,
      Argument("FIELD=VALUE", "a field and its value; field= clears it", .any, completes: .field),
    ],
    flags: [condition],
    examples: [
      Example("gatehouse user set dd-ride willie@ksu.edu role=admin chapterId=KAPPA", "make an administrator"),
      Example(
        "gatehouse user set messai al@example.com photoURL=", "clear a field, also one that the policy no longer has"),
      Example("gatehouse user set dd-ride --where role=driver role=rider --dry-run", "count all who have a value"),
    ], exits: UserVerb.exits, mutating: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    if let condition = invocation[condition] { return try await UserSetAll.run(invocation, condition) }
    guard !invocation.arguments("FIELD=VALUE").isEmpty else { throw Failure(.usage, "FIELD=VALUE is missing") }
    return try await UserVerb.run(invocation, done: "changed") { backend, tenant, user in
      _ = try await backend.send(
        SetUserOperation.self,
        .init(tenant: tenant, user: user.id, fields: invocation.arguments("FIELD=VALUE")))
    }
  }
}
