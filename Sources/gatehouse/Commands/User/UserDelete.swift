import GatehouseAdminWire
import GatehouseWire

/// `gatehouse user delete`.
enum UserDelete {
  private static let now = Flag("now", .onOff, "for good at once, also where the policy lets a deletion be undone")

  static let command = Command(
    "user", "delete", summary: "Delete an account and all that belongs to it",
    notes: [
      "Where the policy has accounts.undo_deletion, gatehouse user undelete brings the account back"
        + " for that time. Sessions and tokens end at once, and sign-in answers as for an unknown user. The address is free: another"
        + " account may take it. gatehouse user erase ends that time.",
      UserBulk.note,
    ],
    arguments: [OperatorCommand.tenant, UserVerb.oneUser], flags: [now] + UserFilterFlags.all,
    examples: [
      Example("gatehouse user delete dd-ride willie@ksu.edu", "by address"),
      Example("gatehouse user delete dd-ride --unverified --since 2h --dry-run", "count a wave of sign-ups"),
      Example("gatehouse user delete dd-ride willie@ksu.edu --yes", "without questions, in a script"),
    ], exits: UserVerb.exits, mutating: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    if let filter = try UserFilterFlags.ofMany(invocation) {
      return try await UserBulk.run(
        .delete, filter, done: "deleted",
        loss: "they and everything stored about them will be gone\(end(invocation)).", now: invocation.has(now),
        invocation)
    }
    return try await UserVerb.run(
      invocation, losing: { ["\(UserVerb.name($0)) and everything stored about them will be gone\(end(invocation))."] },
      done: "deleted"
    ) { backend, tenant, user in
      _ = try await backend.send(
        DeleteUserOperation.self, .init(tenant: tenant, user: user.id, now: invocation.has(now) ? true : nil))
    }
  }

  /// The command does not know whether the policy keeps what it deletes.
  private static func end(_ invocation: Invocation) -> String {
    invocation.has(now) ? ", for good" : ", unless the policy lets it be undone"
  }
}
