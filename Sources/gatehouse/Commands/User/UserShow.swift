import GatehouseAdminWire
import GatehouseWire

/// `gatehouse user show`.
enum UserShow {
  static let command = Command(
    "user", "show", summary: "Show one user, with the last sign-in",
    arguments: [OperatorCommand.tenant, UserVerb.user],
    examples: [
      Example("gatehouse user show dd-ride willie@ksu.edu", "by address"),
      Example("gatehouse user show dd-ride 01a1fc0c-7db4-753d-bb44-2e6018301af8", "by id"),
      Example("gatehouse user show dd-ride willie@ksu.edu --output json", "for a script"),
    ], exits: UserVerb.exits, prints: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.backend(invocation) { backend in
      let tenant = try invocation.argument(OperatorCommand.tenant.name)
      let user = try await backend.send(
        ShowUserOperation.self, .init(tenant: tenant, user: try invocation.argument("USER")))
      try invocation.print(UserVerb.record(user))
      return .ok
    }
  }
}
