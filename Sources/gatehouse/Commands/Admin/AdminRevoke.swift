import GatehouseAdminWire
import GatehouseWire

/// `gatehouse admin revoke`.
enum AdminRevoke {
  static let command = Command(
    "admin", "revoke", summary: "End a token for the admin API at once, with those that it made",
    notes: [
      "Every server asks at each call: from the next one on the token is refused. Tokens that it made, and that those made, end with it.",
      "Without --server the database's login is the migrator's, as with admin create.",
    ],
    arguments: [AdminToken.name],
    examples: [
      Example("gatehouse admin revoke ci", "the next call with it is refused"),
      Example("gatehouse admin revoke ci --dry-run", "only say what would happen"),
      Example("gatehouse admin revoke ci --yes", "without questions, in a script"),
    ],
    exits: [
      .no: "it was revoked before", .notFound: "no such token", .notAllowed: "the token of --server lacks the scope",
      .unavailable: "the database failed",
    ], mutating: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let name = try invocation.argument(AdminToken.name.name)
    if invocation.isDryRun {
      invocation.terminal.note("the token \(Visible.line(name)) would be revoked")
      return .ok
    }
    return try await OperatorCommand.backend(invocation) { backend in
      let others = try await backend.send(RevokeAdminTokenOperation.self, .init(name: name)).alsoRevoked
      let made = others.isEmpty ? "" : ", and \(others.count) that it made: \(others.joined(separator: ", "))"
      invocation.terminal.note("the token \(Visible.line(name)) is revoked\(made)")
      return .ok
    }
  }
}
