import GatehouseAdminWire
import GatehouseWire

/// `gatehouse key list`.
enum KeyList {
  static let command = Command(
    "key", "list", summary: "List a tenant's signing keys", arguments: [OperatorCommand.tenant],
    examples: [
      Example("gatehouse key list dd-ride", "next, active and retired"),
      Example("gatehouse key list dd-ride --output json", "for a script"),
      Example("gatehouse key list messai", "of another app"),
    ], exits: [.notFound: "no such tenant", .unavailable: "the database failed"], prints: true, settings: .backend,
    run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.backend(invocation) { backend in
      let tenant = try invocation.argument(OperatorCommand.tenant.name)
      try invocation.print(table(try await backend.send(ListKeysOperation.self, .init(tenant: tenant)).items))
      return .ok
    }
  }

  static func table(_ keys: [SigningKeySummary]) -> Table {
    Table(
      kind: "key.list",
      columns: [
        Table.Column("kid", "key"), Table.Column("state", "state"), Table.Column("created_at", "made"),
        Table.Column("changed_at", "in this state since"),
      ],
      rows: keys.map {
        [.text($0.kid), .text($0.state), UserVerb.time($0.createdAt), UserVerb.time($0.changedAt)]
      })
  }
}
