import Foundation
import GatehouseIdentity

/// Statements about the beginning of the audit log.
enum AuditCutRows {
  /// Cuts that are read at once: one a day for almost three years, none of which was carried out.
  private static let most = 1000

  static let origin: SQL = """
    SELECT first.seq, cut.seq, cut.audit_id, cut.token
    FROM (SELECT (SELECT seq FROM audit_link ORDER BY seq LIMIT 1) AS seq) AS first
    LEFT JOIN audit_cut AS cut ON cut.seq >= coalesce(first.seq, 1) - 1
    ORDER BY cut.seq LIMIT \(most)
    """

  static func keep(_ cut: StoredAuditCut) -> SQL {
    "INSERT INTO audit_cut (seq, audit_id, token) VALUES (\(cut.seq), \(cut.row), \(cut.token))"
  }
}

extension PostgresTenantStore {
  func auditOrigin() async throws -> StoredAuditOrigin {
    var origin = StoredAuditOrigin(first: nil, cuts: [])
    let rows: [(first: Int64?, cut: StoredAuditCut?)] = try await read(AuditCutRows.origin).read { columns in
      let first: Int64? = try columns.next()
      guard let seq: Int64 = try columns.next(Int64?.self) else {
        columns.skipRest()
        return (first, nil)
      }
      return (first, StoredAuditCut(seq: seq, row: try columns.next(), token: try columns.next()))
    }
    for row in rows {
      origin.first = row.first
      if let cut = row.cut { origin.cuts.append(cut) }
    }
    return origin
  }

  func keepAuditCut(_ cut: StoredAuditCut, audit: AuditEntry) async throws {
    _ = try await write([AuditCutRows.keep(cut)] + AuditRows.trail([audit]))
  }

  func deleteCutAudit(behind: Int64, limit: Int) async throws -> (deleted: Int, last: Int64?) {
    let answers = try await write([
      "SELECT deleted, last FROM gatehouse.delete_cut_audit(\(behind)::bigint, \(limit)::integer)"
    ])
    return try answers[0].single { (try $0.next(), try $0.next()) } ?? (0, nil)
  }

  func deletedUsers(among users: Set<UUID>) async throws -> Set<UUID> {
    let found: [UUID] = try await read(
      """
      SELECT DISTINCT account_id FROM audit
      WHERE account_id = ANY(\(Array(users))) AND event = \(AuditEvent.userDeleted.rawValue)
      """
    ).read { try $0.next() }
    return Set(found)
  }
}
