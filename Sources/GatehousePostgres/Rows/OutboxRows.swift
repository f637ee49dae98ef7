import Foundation
package import GatehouseIdentity

/// Statements of the outbox.
enum OutboxRows {
  static func statements(of change: MailChange) -> [SQL] {
    switch change {
    case .enqueue(let mail, let kept):
      [insert(mail, expires: "\(mail.expiresAt)", where: kept.map(LimitRows.hasRoom))]
    case .notify(let mail, let limit): [insert(mail, within: limit)]
    }
  }

  /// A row is written in any case; beyond the limit it is one of a mail whose time has passed.
  private static func insert(_ mail: OutgoingMail, within limit: NoticeLimit) -> SQL {
    let (all, kind) = limit.counted(mail.kind)
    let isWithin: SQL =
      limit.isProven
      ? """
      (SELECT count FROM of_kind) = 1 OR /* GUARD: notices: of one kind */ (SELECT count FROM of_kind) <= \(kind.count)
        AND /* GUARD: notices: of all kinds */ (SELECT count FROM of_all) <= \(all.count)
      """ : "/* GUARD: notices: one to an unproven address */ (SELECT count FROM of_all) <= \(all.count)"
    return insert(
      mail, expires: "CASE WHEN \(isWithin) THEN \(mail.expiresAt)::timestamptz ELSE \(mail.createdAt) END",
      after: "WITH of_all AS (\(LimitRows.count(all))), of_kind AS (\(LimitRows.count(kind)))")
  }

  private static func insert(
    _ mail: OutgoingMail, expires: SQL, after counting: SQL = "", where condition: SQL? = nil
  ) -> SQL {
    """
    \(counting) INSERT INTO outbox (id, kind, account_id, sealed_order, created_at, due_at, expires_at)
    SELECT \(mail.id)::uuid, \(mail.kind.rawValue)::text, \(mail.user?.uuid)::uuid, \(mail.sealedOrder)::bytea,
      \(mail.createdAt)::timestamptz, gatehouse.now(), (\(expires))::timestamptz
    WHERE \(condition ?? "true")
    """
  }

  static let export = ExportPart(table: "outbox") { id in
    """
    SELECT kind, created_at, delivered_at FROM outbox WHERE account_id = \(id.uuid)
    ORDER BY created_at DESC, id DESC
    """
  } read: { data, rows, _ in
    data.mails = try rows.read {
      StoredUserData.MailRow(kind: try $0.next(), createdAt: try $0.next(), deliveredAt: try $0.next())
    }
  }
}

extension PostgresTenantStore {
  func markDelivered(_ id: UUID) async throws {
    _ = try await write(["UPDATE outbox SET delivered_at = gatehouse.now(), sealed_order = NULL WHERE id = \(id)"])
  }

  func markFailed(_ id: UUID, reason: String, retryAfter: Int?) async throws {
    let reason = String(reason.prefix(500))
    if let retryAfter {
      _ = try await write([
        """
        UPDATE outbox SET last_error = \(reason),
          due_at = gatehouse.now() + make_interval(secs => \(Double(retryAfter)))
        WHERE id = \(id) AND delivered_at IS NULL AND given_up_at IS NULL
        """
      ])
    } else {
      _ = try await write([
        """
        UPDATE outbox SET last_error = \(reason), given_up_at = gatehouse.now(), sealed_order = NULL
        WHERE id = \(id) AND delivered_at IS NULL
        """
      ])
    }
  }
}

/// The outbox of all tenants, for the worker.
package struct PostgresOutboxQueue: OutboxQueue {
  private let database: Database

  /// `database` is logged in as the jobs role.
  package init(_ database: Database) { self.database = database }

  package func takeDueMail(limit: Int, lease: Int) async throws -> [(tenant: TenantID, mail: OutgoingMail)] {
    let rows = try await translating {
      try await database.write(
        nil,
        [
          """
          UPDATE outbox SET given_up_at = gatehouse.now(), sealed_order = NULL, last_error = 'expired'
          WHERE delivered_at IS NULL AND given_up_at IS NULL AND due_at <= gatehouse.now()
            AND expires_at <= gatehouse.now()
          """,
          """
          WITH due AS MATERIALIZED (
            SELECT tenant_id, id FROM outbox
            WHERE delivered_at IS NULL AND given_up_at IS NULL AND due_at <= gatehouse.now()
            ORDER BY due_at LIMIT \(max(1, limit)) FOR UPDATE SKIP LOCKED)
          UPDATE outbox SET attempts = attempts + 1, due_at = gatehouse.now() + make_interval(secs => \(Double(lease)))
          FROM due WHERE outbox.tenant_id = due.tenant_id AND outbox.id = due.id
          RETURNING outbox.tenant_id, outbox.id, kind, sealed_order, created_at, expires_at, attempts
          """,
        ])
    }
    return try rows[1].readKnown { columns in
      let tenant: TenantID = try columns.next()
      let id: UUID = try columns.next()
      guard let kind = MailKind(rawValue: try columns.next()), let sealed: [UInt8] = try columns.next() else {
        return nil
      }
      return (
        tenant: tenant,
        mail: OutgoingMail(
          id: id, kind: kind, sealedOrder: sealed, createdAt: try columns.next(), expiresAt: try columns.next(),
          attempts: try columns.next())
      )
    }
  }

  package func mailBacklog() async throws -> (waiting: Int, oldest: Int) {
    let found = try await translating {
      try await database.read(
        nil,
        """
        SELECT count(*), coalesce(ceil(extract(epoch FROM gatehouse.now() - min(created_at))), 0)::bigint
        FROM outbox WHERE delivered_at IS NULL AND given_up_at IS NULL
        """
      ).single { (waiting: try $0.next(Int.self), oldest: try $0.next(Int.self)) }
    }
    return found ?? (0, 0)
  }
}
