import GatehouseAdminWire
import GatehouseWire

/// `gatehouse key retire`.
enum KeyRetire {
  private static let kid = Argument("KEY", "the key's id, as `key list` shows it")

  static let command = Command(
    "key", "retire", summary: "Take a signing key out at once, because it may be compromised",
    notes: [
      "Its tokens are refused from now on; users' sessions stay, their apps fetch another token. If it was the key that signs, the oldest next key does, or a new one.",
      "Backends that keep the key set accept its tokens until they fetch the set again, five minutes at most.",
    ],
    arguments: [OperatorCommand.tenant, kid],
    examples: [
      Example("gatehouse key retire dd-ride Hk3vT9…", "asks first"),
      Example("gatehouse key retire dd-ride Hk3vT9… --dry-run", "say what would happen"),
      Example("gatehouse key retire dd-ride Hk3vT9… --yes", "without questions, in a script"),
    ],
    exits: [
      .notFound: "no such tenant or key", .conflict: "the keys were rotated at the same moment",
      .unavailable: "the database failed",
    ],
    mutating: true, prints: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let id = try invocation.argument(kid.name)
    return try await OperatorCommand.backend(invocation) { backend in
      let tenant = try await backend.send(
        ShowTenantOperation.self, .init(tenant: try invocation.argument(OperatorCommand.tenant.name))
      ).name
      let loss = "Every access token that \(Visible.line(id)) signed for \(tenant) will be refused."
      try invocation.confirm([loss], typing: tenant)
      if invocation.isDryRun {
        invocation.terminal.note(loss)
        return .ok
      }
      let keys = try await backend.send(RetireKeyOperation.self, .init(tenant: tenant, kid: id)).items
      try invocation.print(KeyList.table(keys))
      return .ok
    }
  }
}
