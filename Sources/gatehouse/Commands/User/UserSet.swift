import GatehouseAdminWire
import GatehouseWire

/// `gatehouse user set`.
enum UserSet {
  static let background = Flag(
    "background", .onOff, "with a filter: the server changes all of them, and the command answers at once")

  static let command = Command(
    "user", "set", summary: "Set profile fields of a user, also those that only administrators write",
    notes: [UserBulk.note],
    arguments: [
      OperatorCommand.tenant, UserVerb.user,
      Argument("FIELD=VALUE", "a field and its value; field= clears it", .any, completes: .field),
    ],
    flags: UserFilterFlags.all + [background],
    examples: [
      Example("gatehouse user set dd-ride willie@ksu.edu role=admin chapterId=KAPPA", "make an administrator"),
      Example(
        "gatehouse user set messai al@example.com photoURL=", "clear a field, also one that the policy no longer has"),
      Example(
        "gatehouse user set dd-ride --where role=driver role=rider --background",
        "the server does it; policy undo undoes it"),
    ], exits: UserVerb.exits, mutating: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let filter = UserFilterFlags(invocation)
    guard filter.isEmpty else { return try await all(filter, invocation) }
    guard !invocation.has(background) else { throw Failure(.usage, "--background goes with a filter") }
    guard !invocation.arguments("FIELD=VALUE").isEmpty else { throw Failure(.usage, "FIELD=VALUE is missing") }
    return try await UserVerb.run(invocation, done: "changed") { backend, tenant, user in
      _ = try await backend.send(
        SetUserOperation.self,
        .init(tenant: tenant, user: user.id, fields: invocation.arguments("FIELD=VALUE")))
    }
  }

  /// With a filter the first word is no user, but a field.
  private static func all(_ filter: UserFilterFlags, _ invocation: Invocation) async throws -> Exit {
    let fields = [try invocation.argument(UserVerb.user.name)] + invocation.arguments("FIELD=VALUE")
    if let word = fields.first(where: { !$0.contains("=") }) {
      throw Failure(.usage, "with a filter no user is named: \(Quoted(word)) is not FIELD=VALUE")
    }
    return try await UserBulk.run(
      .set, filter, done: "changed", loss: "their profile fields would be changed", fields: fields, invocation)
  }
}
