import Foundation
import GatehouseIdentity

/// `gatehouse tenant list`.
enum TenantList {
  static let command = Command(
    "tenant", "list", summary: "List the tenants",
    examples: [
      Example("gatehouse tenant list", "every tenant"),
      Example("gatehouse tenant list --output json", "for a script"),
      Example("gatehouse tenant list --data-dir /tmp/gatehouse", "of another server"),
    ],
    exits: [.unavailable: "the database failed"], prints: true, settings: .store, run: run)

  static let columns = [
    Table.Column("name", "tenant"), Table.Column("display_name", "name"), Table.Column("enabled", "enabled"),
    Table.Column("created_at", "created"),
  ]

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.run(invocation) { services in
      let rows = try await services.directory.tenants().map(row)
      try invocation.print(
        Table(
          kind: "tenant.list", columns: columns, rows: rows,
          whenEmpty: "no tenants yet: gatehouse tenant create ID --policy FILE"))
      return .ok
    }
  }

  static func row(_ tenant: TenantRecord) -> [Cell] {
    [
      .text(tenant.name.description), .text(tenant.displayName), .boolean(tenant.enabled),
      .time(Int(tenant.createdAt.timeIntervalSince1970)),
    ]
  }
}
