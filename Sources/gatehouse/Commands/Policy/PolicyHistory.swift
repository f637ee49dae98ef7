import GatehouseAdminWire
import GatehouseWire

/// `gatehouse policy history`.
enum PolicyHistory {
  private static let limit = Flag("limit", .integer(1...1000), "how many, newest first (default 20)")

  static let command = Command(
    "policy", "history", summary: "List a tenant's policy revisions: who applied what, when and why",
    arguments: [OperatorCommand.tenant], flags: [limit],
    examples: [
      Example("gatehouse policy history dd-ride", "the newest twenty"),
      Example("gatehouse policy history dd-ride --limit 1", "the live one"),
      Example("gatehouse policy history dd-ride --output json", "for a script"),
    ],
    exits: [.notFound: "no such tenant", .unavailable: "the database failed"], prints: true, settings: .backend,
    run: run
  )

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.backend(invocation) { backend in
      let tenant = try invocation.argument(OperatorCommand.tenant.name)
      let revisions = try await backend.items(atMost: invocation[limit] ?? 20, page: 100) { limit, cursor in
        let page = try await backend.send(
          ListPolicyRevisionsOperation.self, .init(tenant: tenant, limit: limit, cursor: cursor))
        return (page.items, page.nextCursor)
      }
      let columns = [
        Table.Column("revision", "revision"), Table.Column("created_at", "applied"), Table.Column("author", "by"),
        Table.Column("reason", "why"), Table.Column("failing_tests", "failing tests"),
        Table.Column("trust", revisions.contains { $0.trust != nil } ? "trust" : ""), Table.Column("digest", ""),
      ]
      let rows = revisions.map { revision in
        [
          Cell.integer(revision.revision), .time(Int(revision.createdAt.seconds)), .text(revision.author),
          .text(revision.reason), revision.failingTests.map(Cell.integer) ?? .none,
          revision.trust.map { .list($0.map { .text($0) }) } ?? .none, .text(revision.digest),
        ]
      }
      try invocation.print(Table(kind: "policy.history", columns: columns, rows: rows))
      return .ok
    }
  }
}
