import GatehouseIdentity

/// `gatehouse user revoke`.
enum UserRevoke {
  static let command = Command(
    "user", "revoke", summary: "End all sessions of a person", arguments: [OperatorCommand.tenant, UserVerb.user],
    examples: [
      Example("gatehouse user revoke dd-ride willie@ksu.edu", "by address"),
      Example("gatehouse user revoke dd-ride willie@ksu.edu --dry-run", "only say what would happen"),
      Example("gatehouse user revoke dd-ride willie@ksu.edu --yes", "without questions, in a script"),
    ], exits: UserVerb.exits, mutating: true, settings: .store, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await UserVerb.run(invocation, done: "signed out everywhere") { account, call, author, services in
      try await OperatedUsers.revoke(nil, of: account, call, author: author, services)
    }
  }
}
