import GatehouseIdentity
import GatehousePolicyFile

/// `gatehouse policy init`.
enum PolicyInit {
  static let command = Command(
    "policy", "init", summary: "Print a policy to begin with: long passwords, hidden addresses, its own tests",
    arguments: [Argument("TENANT", "the new tenant's name, such as dd-ride")],
    examples: [
      Example("gatehouse policy init dd-ride", "to standard output"),
      Example("gatehouse policy init vibes", "edit it, then: gatehouse policy check"),
      Example("gatehouse policy init messai", "and at last: gatehouse tenant create messai --policy FILE"),
    ], run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let text = try invocation.argument("TENANT")
    guard let name = TenantName(text) else {
      throw Failure(.usage, "\(Quoted(text)) is not a tenant name: 1 to 63 lower-case letters, digits, inner hyphens")
    }
    try invocation.terminal.data(PolicyFile.initial(tenant: name.description, name: name.description))
    return .ok
  }
}
