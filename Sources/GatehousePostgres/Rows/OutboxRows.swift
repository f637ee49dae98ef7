import Foundation
package import GatehouseIdentity
import GatehousePrimitives

/// Statements of the outbox.
enum OutboxRows {
  static func statements(of change: MessageChange) -> [SQL] {
    switch change {
    case .enqueue(let message, let kept):
      [insert(message, expires: "\(message.expiresAt)", where: kept.map(LimitRows.hasRoom))]
    case .notify(let message, let limit): [insert(message, within: limit)]
    }
  }

  /// A row is written in any case; beyond the limit it is one of a message whose time has passed.
  private static func insert(_ message: OutgoingMessage, within limit: NoticeLimit) -> SQL {
    let (all, kind) = (limit.all, limit.ofKind)
    let isWithin: SQL =
      limit.isProven
      ? """
      (SELECT count FROM of_kind) = 1 OR /* GUARD: notices: of one kind */ (SELECT count FROM of_kind) <= \(kind.count)
        AND /* GUARD: notices: of all kinds */ (SELECT count FROM of_all) <= \(all.count)
      """ : "/* GUARD: notices: one to an unproven address */ (SELECT count FROM of_all) <= \(all.count)"
    return insert(
      message, expires: "CASE WHEN \(isWithin) THEN \(message.expiresAt)::timestamptz ELSE \(message.createdAt) END",
      after: "WITH of_all AS (\(LimitRows.count(all))), of_kind AS (\(LimitRows.count(kind)))")
  }

  private static func insert(
    _ message: OutgoingMessage, expires: SQL, after counting: SQL = "", where condition: SQL? = nil
  ) -> SQL {
    """
    \(counting) INSERT INTO outbox (id, kind, channel, account_id, sealed_order, created_at, due_at, expires_at,
      code_id, link_seconds, code_seconds, traceparent)
    SELECT \(message.id)::uuid, \(message.kind.rawValue)::text, \(message.channel.rawValue)::text,
      \(message.user?.uuid)::uuid, \(message.sealedOrder)::bytea, \(message.createdAt)::timestamptz, gatehouse.now(),
      (\(expires))::timestamptz, \(message.carried?.id)::uuid, \(message.carried?.linkSeconds)::bigint,
      \(message.carried?.codeSeconds)::bigint, \(Trace.origin?.field)::text
    WHERE \(condition ?? "true")
    """
  }

  /// Messages that wait and are still to be sent.
  static let waits: SQL = "delivered_at IS NULL AND given_up_at IS NULL AND expires_at > gatehouse.now()"

  static func fits(_ choice: WaitingChoice) -> SQL {
    let ids: SQL = choice.ids.map { "id = ANY(\($0)::uuid[])" } ?? "true"
    let kind: SQL = choice.kind.map { "kind = \($0.rawValue)" } ?? "true"
    return "\(waits) AND \(ids) AND \(kind)"
  }

  /// Begins the time of the code that a message carries, unless the message has ended before. The code is locked before
  /// the message, as where an account goes.
  static func begin(_ message: UUID) -> SQL {
    """
    UPDATE one_time_code SET
      token_expires_at = least(token_expires_at,
        gatehouse.now() + make_interval(secs => outbox.link_seconds)),
      code_expires_at = least(code_expires_at, gatehouse.now() + make_interval(secs => outbox.code_seconds))
    FROM outbox WHERE outbox.id = \(message) AND one_time_code.id = outbox.code_id
      AND outbox.delivered_at IS NULL AND outbox.given_up_at IS NULL AND \(CodeRows.live)
    """
  }

  static let table = AccountTable(
    name: "outbox",
    copy: .list("mails", [.text("kind"), .moment("created_at"), .moment("delivered_at")]) { id in
      """
      SELECT kind, created_at, delivered_at FROM outbox WHERE account_id = \(id.uuid)
      ORDER BY created_at DESC, id DESC
      """
    })
}

extension PostgresTenantStore {
  func markDelivered(_ id: UUID) async throws {
    _ = try await write([
      OutboxRows.begin(id), "UPDATE outbox SET delivered_at = gatehouse.now(), sealed_order = NULL WHERE id = \(id)",
    ])
  }

  func timeLeft(of code: UUID) async throws -> CodeTime? {
    try await read(
      """
      SELECT floor(extract(epoch FROM token_expires_at - gatehouse.now()))::bigint,
        floor(extract(epoch FROM code_expires_at - gatehouse.now()))::bigint
      FROM one_time_code
      WHERE id = \(code) AND /* GUARD: mail: not with a code that is void */ \(CodeRows.live)
      """
    ).single { CodeTime(link: try $0.next(), digits: try $0.next()) }
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
        OutboxRows.begin(id),
        """
        UPDATE outbox SET last_error = \(reason), given_up_at = gatehouse.now(), sealed_order = NULL
        WHERE id = \(id) AND delivered_at IS NULL
        """,
      ])
    }
  }
}

extension PostgresTenantStore {
  func waiting(limit: Int) async throws -> [WaitingMessage] {
    try await read(
      """
      SELECT id, kind, created_at, due_at, expires_at, attempts, last_error FROM outbox
      WHERE \(OutboxRows.waits) ORDER BY created_at, id LIMIT \(limit)
      """
    ).read { row in
      WaitingMessage(
        id: try row.next(), kind: try row.next(), createdAt: try row.next(), dueAt: try row.next(),
        expiresAt: try row.next(), attempts: try row.next(), lastError: try row.next())
    }
  }

  func retry(_ choice: WaitingChoice, beyond lease: Int, noting entry: AuditEntry) async throws -> Int {
    let answers = try await write(
      [
        """
        UPDATE outbox SET due_at = gatehouse.now()
        WHERE \(OutboxRows.fits(choice)) AND due_at > gatehouse.now() + make_interval(secs => \(Double(lease)))
        """
      ] + AuditRows.trail([entry]))
    return answers.first?.affected ?? 0
  }

  func drop(_ choice: WaitingChoice, noting entry: AuditEntry) async throws -> Int {
    let answers = try await write(
      [
        """
        UPDATE outbox SET given_up_at = gatehouse.now(), sealed_order = NULL, last_error = 'dropped'
        WHERE \(OutboxRows.fits(choice))
        """
      ] + AuditRows.trail([entry]))
    return answers.first?.affected ?? 0
  }
}

/// The outbox of all tenants, for the worker.
package struct PostgresOutboxQueue: OutboxQueue {
  private let database: Database

  /// `database` is logged in as the jobs role.
  package init(_ database: Database) { self.database = database }

  package func takeDue(on channels: [ChannelID], limit: Int, lease: Int) async throws
    -> [(tenant: TenantID, message: OutgoingMessage)]
  {
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
              AND /* GUARD: outbox: of the channels that the server has */ channel = ANY(\(channels.map(\.rawValue)))
            ORDER BY due_at LIMIT \(max(1, limit)) FOR UPDATE SKIP LOCKED)
          UPDATE outbox SET attempts = attempts + 1, due_at = gatehouse.now() + make_interval(secs => \(Double(lease)))
          FROM due WHERE outbox.tenant_id = due.tenant_id AND outbox.id = due.id
          RETURNING outbox.tenant_id, outbox.id, kind, channel, sealed_order, created_at, expires_at, attempts,
            code_id, link_seconds, code_seconds, traceparent
          """,
        ])
    }
    return try rows[1].readKnown { columns in
      let tenant: TenantID = try columns.next()
      let id: UUID = try columns.next()
      let (kind, channel) = (MessageKind(rawValue: try columns.next()), ChannelID(rawValue: try columns.next()))
      guard let kind, let channel, let sealed: [UInt8] = try columns.next() else {
        return nil
      }
      var message = OutgoingMessage(
        id: id, kind: kind, channel: channel, sealedOrder: sealed, createdAt: try columns.next(),
        expiresAt: try columns.next(), attempts: try columns.next())
      let code: UUID? = try columns.next()
      let (link, digits): (Int64?, Int64?) = (try columns.next(), try columns.next())
      message.carried = code.map { CarriedCode(id: $0, linkSeconds: link, codeSeconds: digits) }
      message.origin = try columns.next(String?.self).flatMap(TraceParent.init)
      return (tenant: tenant, message: message)
    }
  }

  package func wake(on channel: ChannelID, beyond lease: Int) async throws {
    _ = try await translating {
      try await database.write(
        nil,
        [
          """
          UPDATE outbox SET due_at = gatehouse.now()
          WHERE delivered_at IS NULL AND given_up_at IS NULL AND channel = \(channel.rawValue)
            AND /* GUARD: outbox: what a worker holds is not woken */
              due_at > gatehouse.now() + make_interval(secs => \(Double(lease)))
          """
        ])
    }
  }

  package func backlog() async throws -> (waiting: Int, oldest: Int) {
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
