import GatehouseAdminWire
import GatehouseWire

/// `gatehouse secret list`.
enum SecretList {
  static let command = Command(
    "secret", "list", summary: "List the names of a tenant's secrets, never the secrets",
    arguments: [OperatorCommand.tenant],
    examples: [
      Example("gatehouse secret list vibes", "names, and when each was set"),
      Example("gatehouse secret list vibes --output json", "for a script"),
      Example("gatehouse secret list messai", "of another app"),
    ], exits: [.notFound: "no such tenant", .unavailable: "the database failed"], prints: true, settings: .backend,
    run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.backend(invocation) { backend in
      let tenant = try invocation.argument(OperatorCommand.tenant.name)
      let rows = try await backend.send(ListSecretsOperation.self, .init(tenant: tenant)).items.map {
        [
          Cell.text($0.name), UserVerb.time($0.updatedAt), .list($0.opensFor.map(Cell.text)),
          .list($0.closedFor.map(Cell.text)),
        ]
      }
      let columns = [
        Table.Column("name", "name"), Table.Column("updated_at", "set"), Table.Column("opens_for", "opens for"),
        Table.Column("closed_for", "set again for"),
      ]
      try invocation.print(Table(kind: "secret.list", columns: columns, rows: rows, whenEmpty: "no secrets"))
      return .ok
    }
  }
}
