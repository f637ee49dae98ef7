import GatehouseIdentity

/// `gatehouse user enable`.
enum UserEnable {
  static let command = Command(
    "user", "enable", summary: "Switch an account on again", arguments: [OperatorCommand.tenant, UserVerb.user],
    examples: [
      Example("gatehouse user enable dd-ride willie@ksu.edu", "by address"),
      Example("gatehouse user enable dd-ride willie@ksu.edu --dry-run", "only say what would happen"),
      Example("gatehouse user enable dd-ride willie@ksu.edu --yes", "without questions, in a script"),
    ], exits: UserVerb.exits, mutating: true, settings: .store, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await UserVerb.run(invocation, done: "enabled") { account, call, author, services in
      try await OperatedUsers.setDisabled(account, false, call, author: author, services)
    }
  }
}
