import GatehouseAdminWire
import GatehouseWire

/// `gatehouse user set`.
enum UserSet {
  static let command = Command(
    "user", "set", summary: "Set profile fields of a user, also those that only administrators write",
    arguments: [
      OperatorCommand.tenant, UserVerb.user,
      Argument("FIELD=VALUE", "a field and its value; field= clears it", .some, completes: .field),
    ],
    examples: [
      Example("gatehouse user set dd-ride willie@ksu.edu role=admin chapterId=KAPPA", "make an administrator"),
      Example("gatehouse user set dd-ride willie@ksu.edu classYear=3", "a number"),
      Example("gatehouse user set messai al@example.com photoURL=", "clear a field"),
    ], exits: UserVerb.exits, mutating: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await UserVerb.run(invocation, done: "changed") { backend, tenant, user in
      _ = try await backend.send(
        SetUserOperation.self,
        .init(tenant: tenant, user: user.id, fields: invocation.arguments("FIELD=VALUE")))
    }
  }
}
