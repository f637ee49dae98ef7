package import Foundation
package import GatehouseIdentity
import GatehousePrimitives

/// Statements and rows of webhooks.
enum WebhookRows {
  static func statements(of change: WebhookChange) -> [SQL] {
    switch change {
    case .insert(let endpoint): [insert(endpoint)]
    case .delete(let id): [delete(id)]
    case .rotateSecret(let id, let sealed, let until): [rotateSecret(id, sealed: sealed, previousUntil: until)]
    case .show(let id, let scopes): [show(id, by: scopes)]
    case .setDisabled(let id, let reason): setDisabled(id, reason)
    }
  }

  static let columns: SQL = """
    e.id, e.url, e.events, e.fields, e.sealed_secret, e.sealed_previous, e.previous_until, e.created_at, e.disabled_at,
    e.disabled_reason, e.failing_since, e.last_success_at, e.last_error, e.shown_by
    """

  static let isWaiting: SQL = "delivered_at IS NULL AND given_up_at IS NULL"

  /// The messages that follow an audit row, one for each endpoint that wants to hear of it.
  static func following(_ entry: AuditEntry) -> [SQL] {
    guard let event = WebhookEvent(cause: entry.event) else { return [] }
    return [
      """
      INSERT INTO webhook_delivery (id, endpoint_id, event, account_id, revision, at, created_at, due_at, expires_at,
        traceparent)
      SELECT \(entry.id), e.id, \(event.rawValue), \(entry.user?.uuid)::uuid, \(entry.revision)::integer,
        gatehouse.now(), gatehouse.now(), gatehouse.now(), gatehouse.now() + interval '3 days',
        \(Trace.origin?.field)::text
      FROM webhook_endpoint AS e WHERE e.disabled_at IS NULL AND \(event.rawValue) = ANY (e.events)
      """
    ]
  }

  private static func insert(_ endpoint: WebhookEndpoint) -> SQL {
    """
    INSERT INTO webhook_endpoint (id, url, events, fields, sealed_secret, created_at, shown_by)
    VALUES (\(endpoint.id), \(endpoint.url), \(endpoint.events.map(\.rawValue)), \(endpoint.fields),
      \(endpoint.sealedSecret), \(endpoint.createdAt), \(endpoint.shownByNames))
    """
  }

  private static func show(_ id: UUID, by scopes: [String]) -> SQL {
    .requiring(.webhookExists, "UPDATE webhook_endpoint SET shown_by = \(scopes) WHERE id = \(id) RETURNING 1")
  }

  private static func delete(_ id: UUID) -> SQL {
    .requiring(.webhookExists, "DELETE FROM webhook_endpoint WHERE id = \(id) RETURNING 1")
  }

  private static func rotateSecret(_ id: UUID, sealed: [UInt8], previousUntil until: Date) -> SQL {
    .requiring(
      .webhookExists,
      """
      UPDATE webhook_endpoint SET sealed_previous = sealed_secret, previous_until = \(until),
        sealed_secret = \(sealed) WHERE id = \(id) RETURNING 1
      """)
  }

  /// Enables or disables an endpoint. The messages that wait for a disabled one are removed.
  private static func setDisabled(_ id: UUID, _ reason: String?) -> [SQL] {
    [
      .requiring(
        .webhookExists,
        """
        UPDATE webhook_endpoint SET disabled_reason = \(reason)::text, failing_since = NULL,
          disabled_at = CASE WHEN \(reason)::text IS NOT NULL THEN gatehouse.now() END
        WHERE id = \(id) RETURNING 1
        """),
      """
      UPDATE webhook_delivery SET given_up_at = gatehouse.now(), last_error = 'switched off'
      WHERE endpoint_id = \(id) AND \(isWaiting) AND \(reason)::text IS NOT NULL
      """,
    ]
  }

  static let table = AccountTable(
    name: "webhook_delivery",
    copy: .list("messages", [.text("event"), .moment("at"), .moment("delivered_at")]) { id in
      """
      SELECT event, at, delivered_at FROM webhook_delivery WHERE account_id = \(id.uuid)
      ORDER BY at DESC, id DESC, endpoint_id
      """
    })
}

extension WebhookEndpoint {
  /// From `WebhookRows.columns`.
  fileprivate init(_ columns: inout RowReader) throws {
    self.init(
      id: try columns.next(), url: try columns.next(),
      events: try columns.next([String].self).compactMap(WebhookEvent.init(rawValue:)), fields: try columns.next(),
      sealedSecret: try columns.next(), sealedPrevious: try columns.next(), previousUntil: try columns.next(),
      createdAt: try columns.next(), disabledAt: try columns.next(), disabledReason: try columns.next(),
      failingSince: try columns.next(), lastSuccessAt: try columns.next(), lastError: try columns.next(),
      shownBy: try columns.next([String]?.self).map { AdminToken.scopes(named: $0) })
  }
}

extension PostgresTenantStore {
  func webhooks() async throws -> [WebhookEndpoint] {
    try await read("SELECT \(WebhookRows.columns) FROM webhook_endpoint AS e ORDER BY e.id LIMIT 1000")
      .read { try WebhookEndpoint(&$0) }
  }

  func webhookBacklog() async throws -> [UUID: Int] {
    var waiting: [UUID: Int] = [:]
    let counts = try await read(
      "SELECT endpoint_id, count(*) FROM webhook_delivery WHERE \(WebhookRows.isWaiting) GROUP BY endpoint_id")
    for row in counts {
      try row.read { columns in
        let endpoint: UUID = try columns.next()
        waiting[endpoint] = try columns.next(Int.self)
      }
    }
    return waiting
  }

  func markDelivered(_ delivery: WebhookDelivery) async throws {
    _ = try await write([
      """
      UPDATE webhook_delivery SET delivered_at = gatehouse.now(), last_error = NULL
      WHERE endpoint_id = \(delivery.endpoint) AND id = \(delivery.id) AND delivered_at IS NULL
      """,
      """
      UPDATE webhook_endpoint SET failing_since = NULL, last_success_at = gatehouse.now(), last_error = NULL
      WHERE id = \(delivery.endpoint)
      """,
    ])
  }

  func markFailed(_ delivery: WebhookDelivery, reason: String, retryAfter: Int) async throws -> Date? {
    let reason = String(reason.prefix(200))
    let rows = try await write([
      """
      UPDATE webhook_delivery SET last_error = \(reason),
        due_at = gatehouse.now() + make_interval(secs => \(Double(retryAfter)))
      WHERE endpoint_id = \(delivery.endpoint) AND id = \(delivery.id) AND \(WebhookRows.isWaiting)
      """,
      """
      UPDATE webhook_endpoint SET failing_since = coalesce(failing_since, gatehouse.now()), last_error = \(reason)
      WHERE id = \(delivery.endpoint) AND disabled_at IS NULL RETURNING failing_since
      """,
    ])
    return try rows[1].single { try $0.next() }
  }

  func postpone(_ delivery: WebhookDelivery, seconds: Int) async throws {
    _ = try await write([
      """
      UPDATE webhook_delivery SET attempts = greatest(0, attempts - 1),
        due_at = gatehouse.now() + make_interval(secs => \(Double(seconds)))
      WHERE endpoint_id = \(delivery.endpoint) AND id = \(delivery.id) AND \(WebhookRows.isWaiting)
      """
    ])
  }
}

/// The waiting messages of all tenants, for the worker.
package struct PostgresWebhookQueue: WebhookQueue {
  private let database: Database

  /// `database` is logged in as the jobs role.
  package init(_ database: Database) { self.database = database }

  /// Endpoints of all tenants that do not work.
  package func broken() async throws -> BrokenWebhooks {
    let found = try await translating {
      try await database.read(
        nil,
        """
        SELECT count(*) FILTER (WHERE disabled_at IS NOT NULL),
          count(*) FILTER (WHERE disabled_at IS NULL AND failing_since IS NOT NULL)
        FROM webhook_endpoint
        """
      ).single { BrokenWebhooks(disabled: try $0.next(), failing: try $0.next()) }
    }
    return found ?? BrokenWebhooks(disabled: 0, failing: 0)
  }

  /// Endpoints of all tenants that do not work, and those that show fields of users: at most 1,000.
  package func noteworthy() async throws -> [(tenant: TenantID, endpoint: WebhookEndpoint)] {
    try await translating {
      try await database.read(
        nil,
        """
        SELECT e.tenant_id, \(WebhookRows.columns) FROM webhook_endpoint AS e
        WHERE e.disabled_at IS NOT NULL OR e.failing_since IS NOT NULL OR cardinality(e.fields) > 0
        ORDER BY e.tenant_id, e.id LIMIT 1000
        """
      ).read { (TenantID(try $0.next()), try WebhookEndpoint(&$0)) }
    }
  }

  package func takeDueWebhooks(
    limit: Int, perEndpoint: Int, busy: [UUID], lease: Int
  ) async throws -> [DueWebhook] {
    let rows = try await translating {
      try await database.write(
        nil,
        [
          """
          UPDATE webhook_delivery SET given_up_at = gatehouse.now()
          WHERE \(WebhookRows.isWaiting) AND expires_at <= gatehouse.now()
          """,
          """
          WITH due AS MATERIALIZED (
            SELECT d.tenant_id, d.endpoint_id, d.id FROM webhook_endpoint AS e
            CROSS JOIN LATERAL (
              SELECT tenant_id, endpoint_id, id FROM webhook_delivery
              WHERE tenant_id = e.tenant_id AND endpoint_id = e.id AND \(WebhookRows.isWaiting)
                AND due_at <= gatehouse.now()
              ORDER BY due_at LIMIT CASE WHEN e.failing_since IS NULL THEN \(max(1, perEndpoint))::bigint ELSE 1 END
              FOR UPDATE SKIP LOCKED) AS d
            WHERE e.disabled_at IS NULL AND e.id <> ALL (\(busy))
            ORDER BY e.failing_since IS NOT NULL LIMIT \(max(1, limit)))
          UPDATE webhook_delivery AS w SET attempts = w.attempts + 1,
            due_at = gatehouse.now() + make_interval(secs => \(Double(lease)))
          FROM due JOIN webhook_endpoint AS e ON e.tenant_id = due.tenant_id AND e.id = due.endpoint_id
          WHERE w.tenant_id = due.tenant_id AND w.endpoint_id = due.endpoint_id AND w.id = due.id
          RETURNING w.tenant_id, \(WebhookRows.columns), w.id, w.event, w.account_id, w.revision, w.at, w.attempts,
            w.traceparent
          """,
        ])
    }
    return try rows[1].readKnown { try DueWebhook(&$0) }
  }
}

extension DueWebhook {
  fileprivate init?(_ columns: inout RowReader) throws {
    let tenant: TenantID = try columns.next()
    let endpoint = try WebhookEndpoint(&columns)
    let id: UUID = try columns.next()
    guard let event = WebhookEvent(rawValue: try columns.next()) else { return nil }
    self.init(
      tenant: tenant,
      delivery: WebhookDelivery(
        id: id, endpoint: endpoint.id, event: event, user: try columns.next(), revision: try columns.next(),
        at: try columns.next(), attempts: try columns.next()), endpoint: endpoint,
      origin: try columns.next(String?.self).flatMap(TraceParent.init))
  }
}
