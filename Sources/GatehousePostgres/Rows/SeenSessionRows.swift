import Foundation
package import GatehouseIdentity

/// The last requests of sessions, on PostgreSQL.
package struct PostgresSeenSessions: SeenSessionStore {
  private let database: Database

  /// `database` is logged in as the jobs role.
  package init(_ database: Database) { self.database = database }

  package func write(_ sessions: [SessionSighting]) async throws -> [SeenSession] {
    guard !sessions.isEmpty else { return [] }
    let rows = try await translating {
      try await database.write(nil, [PostgresSeenSessions.statement(sessions)])[0]
    }
    return try rows.read { SeenSession(try $0.next(), try $0.next(), at: try $0.next()) }
  }

  /// It waits for no lock, so that servers that write the same sessions, and sign-outs that end many, never wait in a
  /// circle: a row that is being written by another transaction is left out and answered.
  static func statement(_ sessions: [SessionSighting]) -> SQL {
    """
    WITH told AS (
      SELECT tenant_id, id, least(at, gatehouse.now()) AS at, make_interval(secs => idle) AS idle,
        make_interval(secs => max) AS max
      FROM unnest(\(sessions.map(\.seen.tenant.uuid)), \(sessions.map(\.seen.session.uuid)), \(sessions.map(\.seen.at)),
        \(sessions.map { Double($0.idleTTL) }), \(sessions.map { Double($0.maxTTL) }))
        AS told (tenant_id, id, at, idle, max)),
    due AS (
      SELECT told.* FROM told JOIN session ON session.tenant_id = told.tenant_id AND session.id = told.id
      WHERE /* GUARD: presence: not of an ended session */ session.ended_at IS NULL
        AND session.expires_at > told.at AND session.idle_expires_at > told.at
        AND /* GUARD: presence: a shortened absolute time */ session.created_at > told.at - told.max
        AND /* GUARD: presence: a shortened idle time */ session.last_seen_at > told.at - told.idle
        AND session.last_seen_at < told.at),
    held AS MATERIALIZED (
      SELECT session.tenant_id, session.id FROM due
      JOIN session ON session.tenant_id = due.tenant_id AND session.id = due.id
      FOR NO KEY UPDATE OF session SKIP LOCKED),
    written AS (
      UPDATE session SET last_seen_at = greatest(session.last_seen_at, due.at)
      FROM held JOIN due ON due.tenant_id = held.tenant_id AND due.id = held.id
      WHERE session.tenant_id = held.tenant_id AND session.id = held.id)
    SELECT due.tenant_id, due.id, due.at FROM due
    WHERE NOT EXISTS (SELECT FROM held WHERE held.tenant_id = due.tenant_id AND held.id = due.id)
    """
  }
}
