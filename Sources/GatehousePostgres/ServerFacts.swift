/// The facts about the database server that an operator needs.
package struct ServerFacts: Sendable {
  /// `server_version_num`: 150020 is 15.20.
  package let version: Int
  /// The version in the usual form: "15.20".
  package let versionText: String
  /// Connections that may be open, and those that are.
  package let maxConnections, connections: Int
  /// Settings by which a crash could lose what was acknowledged, as `fsync = off`.
  package let dangers: [String]
}

extension Database {
  /// Asks the server about itself.
  package func serverFacts() async throws -> ServerFacts {
    let row = try await read(
      nil,
      """
      SELECT current_setting('server_version_num')::bigint,
        split_part(current_setting('server_version'), ' ', 1),
        current_setting('max_connections')::bigint,
        (SELECT sum(numbackends)::bigint FROM pg_stat_database),
        array(SELECT name || ' = ' || setting FROM pg_settings
              WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND setting = 'off' ORDER BY name)
      """
    ).single()
    guard let row else { throw DatabaseError.unexpectedRow("serverFacts") }
    return try row.read { columns in
      ServerFacts(
        version: try columns.next(), versionText: try columns.next(), maxConnections: try columns.next(),
        connections: try columns.next(), dangers: try columns.next())
    }
  }
}
