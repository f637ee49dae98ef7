import GatehouseAdminWire
import GatehouseWire

/// `gatehouse push remove`.
enum PushRemove {
  static let command = Command(
    "push", "remove", summary: "Remove a push token that the push service rejected",
    notes: ["The session goes on, and its app may register another token. Run twice, the second run removes none."],
    arguments: [OperatorCommand.tenant, UserVerb.user],
    examples: [
      Example("gatehouse push remove messai al@example.com", "asks for the token, without echo"),
      Example("gatehouse push remove messai al@example.com --secret-file rejected.txt", "from a file"),
      Example("gatehouse push remove messai al@example.com --secret-file - --no-input", "from standard input"),
    ], exits: PushVerb.exits, mutating: true, takesSecret: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let name = try invocation.argument(UserVerb.user.name)
    let token = String(decoding: try invocation.secret("Push token of \(Visible.line(name))"), as: UTF8.self)
    return try await OperatorCommand.backend(invocation) { backend in
      let tenant = try invocation.argument(OperatorCommand.tenant.name)
      let user = try await PushVerb.user(invocation, of: tenant, backend)
      if invocation.isDryRun {
        let found = try await PushVerb.tokens(of: user, in: tenant, backend).contains { $0.token == token }
        invocation.terminal.note(found ? "it would be removed" : "\(Visible.line(name)) has no such push token")
        return .ok
      }
      let done = try await backend.send(
        RemovePushTokenOperation.self, .init(tenant: tenant, user: user, token: token))
      invocation.terminal.note(
        done.removed > 0 ? "removed" : "\(Visible.line(name)) has no such push token; nothing was removed")
      return .ok
    }
  }
}
