import Foundation
import GatehousePostgres

/// `gatehouse db status`.
enum DatabaseStatus {
  static let command = Command(
    "db", "status", summary: "Show which migrations the database has",
    examples: [
      Example("gatehouse db status", "of the private cluster, or of database.url"),
      Example("gatehouse db status --config /etc/gatehouse/gatehouse.yaml", "of a server's database"),
      Example("gatehouse db status --output json", "for a script"),
    ],
    exits: [.no: "migrations are pending or differ", .unavailable: "the database failed"], prints: true,
    settings: .store, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let config = try Config.load(invocation)
    let location = try await DatabaseLocation.open(config, for: .command)
    let status: MigrationStatus
    do {
      status = try await location.schema.status()
    } catch {
      await location.close()
      throw Failure(database: error, hint: "gatehouse doctor")
    }
    await location.close()
    try invocation.print(table(status))
    if status.isCurrent { return .ok }
    invocation.terminal.note(
      status.drifted.isEmpty
        ? "pending migrations: gatehouse db migrate" : "a migration was changed after it was applied; restore its file")
    return .no
  }

  private static func table(_ status: MigrationStatus) -> Table {
    let columns = [
      Table.Column("number", "number"), Table.Column("name", "name"), Table.Column("state", "state"),
      Table.Column("applied_at", "applied"), Table.Column("took_ms", "ms"),
    ]
    let applied = status.applied.map { migration in
      let state =
        status.drifted.contains { $0.number == migration.number }
        ? "changed" : status.unknown.contains(migration) ? "unknown" : "applied"
      return [
        Cell.integer(migration.number), .text(migration.name), .text(state),
        .time(Int(migration.appliedAt.timeIntervalSince1970)), .integer(migration.tookMilliseconds),
      ]
    }
    let pending = status.pending.map { [Cell.integer($0.number), .text($0.name), .text("pending"), .none, .none] }
    return Table(kind: "db.status", columns: columns, rows: applied + pending)
  }
}
