import GatehouseAdminWire
import GatehouseWire

/// `gatehouse tenant list`.
enum TenantList {
  static let command = Command(
    "tenant", "list", summary: "List the tenants",
    examples: [
      Example("gatehouse tenant list", "every tenant"),
      Example("gatehouse tenant list --output json", "for a script"),
      Example("gatehouse tenant list --data-dir /tmp/gatehouse", "of another server"),
    ],
    exits: [.unavailable: "the database failed"], prints: true, settings: .backend, run: run)

  static let columns = [
    Table.Column("name", "tenant"), Table.Column("display_name", "name"), Table.Column("enabled", "enabled"),
    Table.Column("created_at", "created"),
  ]

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.backend(invocation) { backend in
      let tenants = try await backend.items(atMost: .max, page: 1000) { limit, cursor in
        let page = try await backend.send(ListTenantsOperation.self, .init(limit: limit, cursor: cursor))
        return (page.items, page.nextCursor)
      }
      let rows = tenants.map { tenant -> [Cell] in
        [
          .text(tenant.name), .text(tenant.displayName), .boolean(tenant.enabled),
          .time(Int(tenant.createdAt.seconds)),
        ]
      }
      try invocation.print(
        Table(
          kind: "tenant.list", columns: columns, rows: rows,
          whenEmpty: "no tenants yet: gatehouse tenant create ID --policy FILE"))
      return .ok
    }
  }
}
