import GatehouseAdminWire
import GatehouseWire

/// `gatehouse policy backfills`.
enum PolicyBackfills {
  static let command = Command(
    "policy", "backfills", summary: "List moves of renamed fields, and orders to set fields",
    notes: [
      "A field that says renamed_from in the policy takes over the stored values of its former name. The server moves"
        + " them; until a value has moved, it is read under the new name all the same.",
      "An order comes from user set --background, and policy undo puts back what it replaced.",
      "A rollback to a policy with the former name moves back what was moved and was not changed since.",
    ],
    arguments: [OperatorCommand.tenant],
    examples: [
      Example("gatehouse policy backfills dd-ride", "how far each move is"),
      Example("gatehouse policy backfills dd-ride --output json", "for a script"),
      Example("gatehouse policy backfills dd-ride --output csv", "for a spreadsheet"),
    ],
    exits: [.notFound: "no such tenant", .unavailable: "the database failed"], prints: true, settings: .backend,
    run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.backend(invocation) { backend in
      let tenant = try invocation.argument(OperatorCommand.tenant.name)
      let found = try await backend.send(ListBackfillsOperation.self, .init(tenant: tenant)).items
      let columns = [
        Table.Column("id", "id"), Table.Column("fields", "fields"), Table.Column("renamed_from", "renamed from"),
        Table.Column("state", "state"),
        Table.Column("moved", "moved"), Table.Column("refused", "refused"), Table.Column("skipped", "skipped"),
        Table.Column("revision", "revision"), Table.Column("author", "by"), Table.Column("begun_at", "begun"),
        Table.Column("ended_at", "done"),
      ]
      let rows = found.map { move -> [Cell] in
        [
          .text(move.id), .list(move.fields.map { .text($0) }), move.renamedFrom.map { .text($0) } ?? .none,
          .text(move.state), .integer(move.moved), .integer(move.refused),
          .integer(move.skipped), .integer(move.revision), .text(move.author), .time(Int(move.begunAt.seconds)),
          move.endedAt.map { .time(Int($0.seconds)) } ?? .none,
        ]
      }
      try invocation.print(Table(kind: "policy.backfills", columns: columns, rows: rows))
      return .ok
    }
  }
}
