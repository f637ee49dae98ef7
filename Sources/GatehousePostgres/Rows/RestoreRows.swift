import Foundation
import GatehouseIdentity

/// Statements for a database that was restored to an earlier moment.
enum RestoreRows {
  /// When the tenant's restore was recorded; what was made by then and leaves its mark at its use is not taken.
  static let recordedAt: SQL =
    "coalesce((SELECT restored_at FROM tenant WHERE id = gatehouse.tenant()), '-infinity')"

  /// Where the kind stands, and which rows of it live.
  private static func living(_ kind: Revived) -> SQL {
    switch kind {
    // Those that ran out as well: a policy that is loosened must not bring them back.
    case .sessions: "session WHERE ended_at IS NULL"
    case .codes: "one_time_code WHERE \(CodeRows.live)"
    case .tickets: "ticket"
    case .answers: "idempotency_key"
    case .mails:
      """
      outbox WHERE delivered_at IS NULL AND given_up_at IS NULL
        AND kind = ANY(\(MessageKind.allCases.filter(\.isForItsCode).map(\.rawValue)))
      """
    }
  }

  static func count(_ kind: Revived) -> SQL { "SELECT count(*) FROM \(living(kind))" }

  /// One row with the number of those that ended.
  static func end(_ kind: Revived, limit: Int) -> SQL {
    let page: SQL = "ctid = ANY (ARRAY(SELECT ctid FROM \(living(kind)) LIMIT \(max(0, limit))))"
    let ended: SQL =
      switch kind {
      case .sessions: endSessions(limit: limit)
      case .codes:
        "UPDATE one_time_code SET superseded_at = gatehouse.now(), sealed_payload = NULL WHERE \(page) AND \(CodeRows.live) RETURNING 1"
      case .tickets: "DELETE FROM ticket WHERE \(page) RETURNING 1"
      case .answers: "DELETE FROM idempotency_key WHERE \(page) RETURNING 1"
      case .mails:
        """
        UPDATE outbox SET given_up_at = gatehouse.now(), sealed_order = NULL, last_error = 'the database was restored'
        WHERE \(page) AND delivered_at IS NULL AND given_up_at IS NULL RETURNING 1
        """
      }
    let tables: SQL = kind == .sessions ? ended : "ended AS (\(ended))"
    return "WITH \(tables) SELECT count(*) FROM ended"
  }

  /// Accounts before their sessions, as a sign-in locks them.
  private static func endSessions(limit: Int) -> SQL {
    """
    page AS MATERIALIZED (
      SELECT id, account_id FROM \(living(.sessions)) LIMIT \(max(0, limit))),
    held AS MATERIALIZED (
      SELECT id FROM account WHERE id IN (SELECT account_id FROM page) ORDER BY id FOR NO KEY UPDATE),
    ended AS (
      UPDATE session SET ended_at = gatehouse.now(), end_reason = \(SessionEnd.restored.rawValue), push_platform = NULL,
        sealed_push_token = NULL
      WHERE ended_at IS NULL AND id IN (SELECT page.id FROM page JOIN held ON held.id = page.account_id)
      RETURNING account_id, last_seen_at),
    seen AS (
      UPDATE account SET is_online = false, last_seen = greatest(account.last_seen, newest.at)
      FROM (SELECT account_id, max(last_seen_at) AS at FROM ended GROUP BY account_id) AS newest
      WHERE account.id = newest.account_id)
    """
  }

  static func record(_ moment: Date, _ entry: AuditEntry) -> [SQL] {
    [
      .requiring(
        .restoreIsNews,
        """
        UPDATE tenant SET restored_to = \(moment), restored_at = gatehouse.now()
        WHERE id = gatehouse.tenant()
          AND /* GUARD: restore: recorded once */ restored_to IS DISTINCT FROM \(moment)::timestamptz RETURNING 1
        """)
    ] + AuditRows.trail([entry])
  }
}

extension PostgresTenantStore {
  func restoredTo() async throws -> Date? {
    let found = try await read("SELECT restored_to FROM tenant WHERE id = gatehouse.tenant()")
      .single { columns -> Date? in try columns.next() }
    return found ?? nil
  }

  func count(_ kind: Revived) async throws -> Int {
    try await read(RestoreRows.count(kind)).single { try $0.next(Int.self) } ?? 0
  }

  func end(_ kind: Revived, limit: Int) async throws -> Int {
    try await write([RestoreRows.end(kind, limit: limit)])[0].single { try $0.next(Int.self) } ?? 0
  }

  func recordRestore(to moment: Date, audit: AuditEntry) async throws {
    _ = try await write(RestoreRows.record(moment, audit))
  }
}
