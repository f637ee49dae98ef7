import GatehouseIdentity
import GatehouseAdminWire
import GatehouseWire

/// `gatehouse user revoke`.
enum UserRevoke {
  private static let session = Flag("session", .text("ID", "a session's id"), "only this session")

  static let command = Command(
    "user", "revoke", summary: "End a user's sessions, all or one",
    notes: [UserBulk.note], arguments: [OperatorCommand.tenant, UserVerb.oneUser],
    flags: [session] + UserFilterFlags.all,
    examples: [
      Example("gatehouse user revoke dd-ride willie@ksu.edu", "by address"),
      Example("gatehouse user revoke dd-ride --since 30d --dry-run", "count the newest users"),
      Example(
        "gatehouse user revoke dd-ride willie@ksu.edu --session 0190e5a2-5c1b-7e7c-8d3a-3a1f5b6c7d8e",
        "only one, as gatehouse user sessions lists it"),
    ], exits: UserVerb.exits, mutating: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let one = invocation[session]
    if let one, SessionID(text: one) == nil {
      throw Failure(.usage, "\(Quoted(one)) is not a session's id", hint: "gatehouse user sessions")
    }
    if let filter = try UserFilterFlags.ofMany(invocation) {
      guard one == nil else { throw Failure(.usage, "--session goes with USER") }
      return try await UserBulk.run(
        .revoke, filter, done: "signed out everywhere", loss: "all their sessions will end.", invocation)
    }
    let done = one == nil ? "signed out everywhere" : "signed out of that session"
    return try await UserVerb.run(invocation, done: done) { backend, tenant, user in
      _ = try await backend.send(
        RevokeSessionsOperation.self, .init(tenant: tenant, user: user.id, session: one))
    }
  }
}
