import GatehouseAdminWire
import GatehouseWire

/// `gatehouse limit list`.
enum LimitList {
  private static let limit = Flag("limit", .integer(1...10_000), "how many counts (default 50)")
  private static let each = Flag("each", .onOff, "each count by itself; without it they are summed up by limit")

  static let command = Command(
    "limit", "list", summary: "List the counts against a tenant's limits",
    notes: [
      "Without --each, --address and --user the counts are summed up by limit, the one that refuses most parties first, with the command that lifts it. A party is a network, which is an IPv4 address or an IPv6 /64, an account, a recipient of mail, a code or the tenant.",
      "Addresses and mailboxes are stored as keyed hashes, so that a copy of the database identifies no user: --address and --user find their counts. requests_per_ip is counted in each server's memory unless the policy sets it. Delays after wrong passwords are not limits: see gatehouse user unlock.",
    ],
    arguments: [OperatorCommand.tenant],
    flags: [LimitVerb.name, LimitVerb.address, LimitVerb.user, each, limit],
    examples: [
      Example("gatehouse limit list dd-ride", "the limits that refuse now, and how to lift them"),
      Example("gatehouse limit list dd-ride --address 203.0.113.7", "of one caller"),
      Example("gatehouse limit list dd-ride --name sign_up_per_ip --each --output json", "each count, for a script"),
    ], exits: LimitVerb.exits, prints: true, settings: .backend, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.backend(invocation) { backend in
      let tenant = try invocation.argument(OperatorCommand.tenant.name)
      let isOfOne = invocation[LimitVerb.address] != nil || invocation[LimitVerb.user] != nil
      guard isOfOne || invocation.has(each) || invocation[limit] != nil else {
        let sums = try await backend.send(
          SumLimitsOperation.self, .init(tenant: tenant, name: invocation[LimitVerb.name]))
        try invocation.print(LimitSums.table(sums.items, of: tenant))
        return .ok
      }
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
