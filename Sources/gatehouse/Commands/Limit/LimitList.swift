import GatehouseAdminWire
import GatehouseWire

/// `gatehouse limit list`.
enum LimitList {
  private static let limit = Flag("limit", .integer(1...10_000), "how many (default 50)")

  static let command = Command(
    "limit", "list", summary: "List the counts against a tenant's limits",
    notes: [
      "Addresses and mailboxes are stored as keyed hashes, so that a copy of the database identifies no user: --address and --user find their counts. requests_per_ip is counted in each server's memory unless the policy sets it. Delays after wrong passwords are not limits: see gatehouse user unlock."
    ],
    arguments: [OperatorCommand.tenant],
    flags: [LimitVerb.name, LimitVerb.address, LimitVerb.user, limit],
    examples: [
      Example("gatehouse limit list dd-ride --address 203.0.113.7", "of one caller"),
      Example("gatehouse limit list dd-ride --user willie@ksu.edu", "of one user"),
      Example("gatehouse limit list dd-ride --name sign_up_per_ip --output json", "of one limit, for a script"),
    ], exits: LimitVerb.exits, prints: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.backend(invocation) { backend in
      let tenant = try invocation.argument(OperatorCommand.tenant.name)
      let found = try await backend.items(atMost: invocation[limit] ?? 50, page: 1000) { limit, cursor in
        let page = try await backend.send(
          ListLimitsOperation.self,
          .init(
            tenant: tenant, name: invocation[LimitVerb.name], address: invocation[LimitVerb.address],
            user: invocation[LimitVerb.user], limit: limit, cursor: cursor))
        return (page.items, page.nextCursor)
      }
      let columns = [
        Table.Column("name", "limit"), Table.Column("count", "counted"), Table.Column("most", "allowed"),
        Table.Column("ends_at", "until"), Table.Column("key", "key"),
      ]
      let rows = found.map { counter in
        [
          Cell.text(counter.name), .integer(counter.count), counter.most.map(Cell.integer) ?? .none,
          UserVerb.time(counter.endsAt), .text(counter.key),
        ]
      }
      try invocation.print(Table(kind: "limits", columns: columns, rows: rows, whenEmpty: "nothing is counted"))
      return .ok
    }
  }
}
