package import Foundation
package import GatehouseIdentity

/// The servers of an installation, on PostgreSQL.
package struct PostgresServers: ServerStore {
  private let database: Database

  /// `database` is logged in as the server's role.
  package init(_ database: Database) { self.database = database }

  package func databaseTime() async throws -> Date {
    let answer = try await translating { try await database.read(nil, "SELECT clock_timestamp()") }
    guard let now = try answer.single({ try $0.next(Date.self) }) else {
      throw DatabaseError.unexpectedRow("databaseTime")
    }
    return now
  }

  package func announce(_ server: ServerRecord) async throws {
    _ = try await translating {
      try await database.write(
        nil,
        [
          """
          INSERT INTO server (id, name, version, vocabulary, started_at, seen_at)
          VALUES (\(server.id), \(server.name), \(server.version), \(server.vocabulary), \(server.startedAt),
            gatehouse.now())
          ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at
          """,
          "DELETE FROM server WHERE seen_at < gatehouse.now() - interval '1 day'",
        ])
    }
  }

  package func withdraw(_ server: UUID) async throws {
    _ = try await translating { try await database.write(nil, "DELETE FROM server WHERE id = \(server)") }
  }

  package func servers(seenWithin seconds: Int) async throws -> [SeenServers] {
    try await translating {
      try await database.read(
        nil,
        """
        SELECT version, vocabulary, count(*)::int, (array_agg(name ORDER BY seen_at DESC))[1], max(seen_at)
        FROM server WHERE seen_at > gatehouse.now() - \(Int64(seconds)) * interval '1 second'
        GROUP BY version, vocabulary ORDER BY version, max(seen_at)
        """
      ).read { columns in
        SeenServers(
          version: try columns.next(), vocabulary: try columns.next(), count: try columns.next(),
          newest: try columns.next(), seenAt: try columns.next())
      }
    }
  }
}
