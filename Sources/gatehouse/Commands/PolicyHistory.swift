import Foundation
import GatehouseIdentity
import GatehousePrimitives

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
    exits: [.notFound: "no such tenant", .unavailable: "the database failed"], prints: true, settings: .store, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.run(invocation) { services, tenant, _ in
      let revisions = try await services.store.open(tenant.id).revisions(limit: invocation[limit] ?? 20)
      let columns = [
        Table.Column("revision", "revision"), Table.Column("created_at", "applied"), Table.Column("author", "by"),
        Table.Column("reason", "why"), Table.Column("digest", ""),
      ]
      let rows = revisions.map { revision in
        [
          Cell.integer(revision.number), .time(Int(revision.createdAt.timeIntervalSince1970)),
          .text(revision.author), .text(revision.reason), .text(Hex.encode(revision.digest)),
        ]
      }
      try invocation.print(Table(kind: "policy.history", columns: columns, rows: rows))
      return .ok
    }
  }
}
