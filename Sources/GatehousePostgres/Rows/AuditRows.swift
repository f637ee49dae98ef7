import Foundation
import GatehouseIdentity
import GatehousePrimitives

/// Statements and rows of the audit log.
enum AuditRows {
  /// Rows are dated by the database, as links are: one that names the time of a server whose clock was wrong would look
  /// inserted afterwards.
  static let now: SQL = "/* GUARD: audit: dated by the database */ gatehouse.now()"

  static func insert(_ entry: AuditEntry) -> SQL { insert([entry]) }

  /// All rows in one statement; there is at least one.
  private static func insert(_ entries: [AuditEntry]) -> SQL {
    """
    INSERT INTO audit (id, at, event, actor, account_id, session_id, request_id, address, revision, details)
    VALUES \(.joined(entries.map(values), by: ", "))
    """
  }

  private static func values(_ entry: AuditEntry) -> SQL {
    """
    (\(entry.id), \(now), \(entry.event.rawValue), \(entry.actor), \(entry.user?.uuid),
      \(entry.session?.uuid), \(entry.requestID), \(entry.address), \(entry.revision)::integer, \(json(entry.details)))
    """
  }

  /// A row of the installation's log. From here on the batch is the installation's.
  static func record(_ entry: AuditEntry) -> [SQL] {
    ["SELECT set_config('app.tenant', \(TenantID.installation.uuid)::text, true)", insert(entry)]
  }

  /// Rows with the messages to webhooks that follow them.
  static func trail(_ entries: [AuditEntry]) -> [SQL] {
    guard !entries.isEmpty else { return [] }
    let messages = entries.flatMap(WebhookRows.following)
    guard let first = messages.first else { return [insert(entries)] }
    return ["WITH trail AS (\(insert(entries))) \(first)"] + messages.dropFirst()
  }

  static func json(_ details: [String: String]) -> JSONB {
    var object = JSONObject()
    for name in details.keys.sorted() { object[name] = details[name].map { .string($0) } }
    return JSONB(JSONValue.object(object).bytes)
  }
}

extension AuditEntry {
  fileprivate init?(_ columns: inout RowReader) throws {
    let id: UUID = try columns.next()
    let at: Date = try columns.next()
    guard let event = AuditEvent(rawValue: try columns.next()) else { return nil }
    self.init(
      id: id, at: at, event: event, actor: try columns.next(), user: try columns.next(),
      session: try columns.next(), requestID: try columns.next(), address: try columns.next(),
      revision: try columns.next(), details: try AuditEntry.details(columns.next()), seq: try columns.next())
  }

  private static func details(_ stored: JSONB) throws -> [String: String] {
    var details: [String: String] = [:]
    for member in try JSONParser.parse(stored.bytes, limits: .stored).object?.members ?? [] {
      details[member.key] = member.value.string
    }
    return details
  }
}

extension PostgresTenantStore {
  func audit(_ query: AuditQuery, limit: Int) async throws -> [AuditEntry] {
    try await read(
      """
      SELECT id, at, event, actor, account_id, session_id, request_id, address, revision, details, audit_link.seq
      FROM audit LEFT JOIN audit_link ON audit_link.audit_id = audit.id
      WHERE (\(query.event)::text IS NULL OR event = \(query.event)::text)
        AND (\(query.user?.uuid)::uuid IS NULL OR account_id = \(query.user?.uuid)::uuid)
        AND (\(query.since)::timestamptz IS NULL OR at >= \(query.since)::timestamptz)
        AND (\(query.until)::timestamptz IS NULL OR at < \(query.until)::timestamptz)
        AND (\(query.after)::uuid IS NULL OR id > \(query.after)::uuid)
        AND (\(query.before)::uuid IS NULL OR id < \(query.before)::uuid)
      ORDER BY id DESC LIMIT \(max(0, limit))
      """
    ).readKnown { try AuditEntry(&$0) }
  }
}
