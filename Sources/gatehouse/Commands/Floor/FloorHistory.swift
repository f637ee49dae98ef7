import GatehouseIdentity

/// `gatehouse floor history`.
enum FloorHistory {
  private static let limit = Flag("limit", .integer(1...1000), "how many, newest first (default 20)")

  static let command = Command(
    "floor", "history", summary: "List the floor's revisions: who applied what, when and why",
    flags: [limit],
    examples: [
      Example("gatehouse floor history", "the newest twenty"),
      Example("gatehouse floor history --limit 1", "the one in force"),
      Example("gatehouse floor history --output json", "for a script"),
    ],
    exits: [.unavailable: "the database failed"], prints: true, settings: .store, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    try await OperatorCommand.run(invocation) { services in
      let rows = try await services.floors.floors(limit: invocation[limit] ?? 20).map { floor in
        [
          Cell.integer(floor.number), .time(Int(floor.createdAt.wholeSeconds)), .text(floor.author),
          .text(floor.reason), floor.text == nil ? .text("removed") : .text(floor.file),
        ]
      }
      let columns = [
        Table.Column("revision", "revision"), Table.Column("created_at", "applied"), Table.Column("author", "by"),
        Table.Column("reason", "why"), Table.Column("file", "file"),
      ]
      try invocation.print(
        Table(kind: "floor.history", columns: columns, rows: rows, whenEmpty: "there was never a floor"))
      return .ok
    }
  }
}
