package import GatehouseIdentity

/// The floor of an installation, on PostgreSQL.
package struct PostgresFloors: FloorStore {
  private let database: Database
  private static let columns: SQL = "number, text, file, author, reason, created_at"

  /// `database` is logged in as the server's role.
  package init(_ database: Database) { self.database = database }

  /// Demands that this is the number of the newest floor; 0 where there was never one.
  static func demand(newest number: Int) -> SQL {
    """
    SELECT \(
      .require(
        """
        /* GUARD: floor: a policy is held to the newest */
        (SELECT coalesce(max(number), 0) FROM floor_revision) = \(number)
        """, .floorIsCurrent))
    """
  }

  package func newestFloorNumber() async throws -> Int {
    try await translating {
      try await database.read(nil, "SELECT coalesce(max(number), 0) FROM floor_revision").single { try $0.next() }
    } ?? 0
  }

  package func newestFloor() async throws -> FloorRevision? { try await floors(limit: 1).first }

  package func floor(_ number: Int) async throws -> FloorRevision? {
    try await floors(where: "number = \(number)::bigint", limit: 1).first
  }

  package func floors(limit: Int) async throws -> [FloorRevision] { try await floors(where: "true", limit: limit) }

  private func floors(where condition: SQL, limit: Int) async throws -> [FloorRevision] {
    try await translating {
      try await database.read(
        nil,
        """
        SELECT \(Self.columns) FROM floor_revision WHERE \(condition) ORDER BY number DESC LIMIT \(max(0, limit))
        """
      ).read { columns in
        FloorRevision(
          number: try columns.next(), text: try columns.next(), file: try columns.next(), author: try columns.next(),
          reason: try columns.next(), createdAt: try columns.next())
      }
    }
  }

  package func append(_ floor: FloorRevision, record: AuditEntry) async throws {
    _ = try await translating {
      try await database.write(
        nil,
        [
          Self.demand(newest: floor.number - 1),
          """
          INSERT INTO floor_revision (number, text, file, author, reason, created_at)
          VALUES (\(floor.number)::integer, \(floor.text), \(floor.file), \(floor.author), \(floor.reason),
            \(floor.createdAt))
          """,
        ] + AuditRows.record(record))
    }
  }
}
