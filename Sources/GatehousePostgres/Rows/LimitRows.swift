import Foundation
import GatehouseIdentity

/// Statements of the counters that all servers share.
enum LimitRows {
  /// One statement for each reservation, in one order for everybody, so that two of them never wait for each other.
  static func reserve(_ reservations: [Reservation]) -> [SQL] {
    reservations.sorted { ($0.name, $0.key) < ($1.name, $1.key) }.map { wanted in
      let window: SQL = "make_interval(secs => \(Double(wanted.window)))"
      // A policy that shortens a window shortens those that run.
      let isOver: SQL = "least(c.window_end, c.window_start + \(window)) <= gatehouse.now()"
      return """
        WITH counted AS (
          INSERT INTO limit_counter AS c (name, key, window_start, window_end, count)
          VALUES (\(wanted.name), \(wanted.key), gatehouse.now(), gatehouse.now() + \(window), 1)
          ON CONFLICT (tenant_id, name, key) DO UPDATE SET
            count = CASE WHEN \(isOver) THEN 1 ELSE c.count + 1 END,
            window_start = CASE WHEN \(isOver) THEN excluded.window_start ELSE c.window_start END,
            window_end = CASE WHEN \(isOver) THEN excluded.window_end
              ELSE least(c.window_end, c.window_start + \(window)) END
          RETURNING count, window_end)
        SELECT gatehouse.require(count <= \(wanted.count), \("limited:" + wanted.name + ":")
          || ceil(extract(epoch FROM window_end - gatehouse.now()))::bigint) FROM counted
        """
    }
  }
}

extension PostgresTenantStore {
  func reserve(_ reservations: [Reservation]) async throws -> ReservationVerdict {
    guard !reservations.isEmpty else { return .granted }
    do {
      _ = try await write(LimitRows.reserve(reservations))
      return .granted
    } catch StoreError.limited(let name, let retryAfter) {
      return .exhausted(name: name, retryAfter: retryAfter)
    }
  }

  func reserveSignIn(_ key: SignInKey) async throws -> SignInVerdict {
    let permit = UUID()
    // The permit in the row tells whether this very attempt was let in: the row is locked while that is decided.
    let rows = try await write([
      """
      INSERT INTO sign_in_guard AS g (key, failures, blocked_until, permit, updated_at)
      VALUES (\(key.bytes), 1, '-infinity', \(permit), gatehouse.now())
      ON CONFLICT (tenant_id, key) DO UPDATE SET
        failures = g.failures + 1, permit = excluded.permit, updated_at = gatehouse.now(),
        blocked_until = CASE WHEN g.failures + 1 < 5 THEN '-infinity' ELSE
          gatehouse.now() + make_interval(secs => least(900, power(2, least(g.failures + 1 - 5, 20)))) END
        WHERE g.failures < 100 AND g.blocked_until <= gatehouse.now()
      """,
      """
      SELECT permit = \(permit), failures >= 100, CASE WHEN blocked_until > gatehouse.now()
        THEN ceil(extract(epoch FROM blocked_until - gatehouse.now()))::bigint ELSE 1 END
      FROM sign_in_guard WHERE key = \(key.bytes)
      """,
    ])
    // INVARIANT: the row is there, for the first statement made or locked it.
    guard let row = try rows[1].single() else { throw DatabaseError.unexpectedRow("no sign-in guard") }
    if try row[0] { return .granted }
    return try row[1] ? .disabled : .blocked(retryAfter: try row[2])
  }
}
