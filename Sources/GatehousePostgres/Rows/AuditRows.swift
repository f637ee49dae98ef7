import Foundation
package import GatehouseIdentity
import GatehousePrimitives

/// Statements and rows of the audit log.
enum AuditRows {
  /// Logs that are asked in one batch.
  static let logsAtOnce = 50

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

extension AuditRows {
  /// The rows that match, newest first. Only conditions that are asked for are in the statement: each finds its index.
  static func search(_ query: AuditQuery, limit: Int) -> SQL {
    var conditions: [SQL] = ["true"]
    if let event = query.event { conditions.append("event = \(event)") }
    if let user = query.user { conditions.append("account_id = \(user.uuid)") }
    if let actor = query.actor { conditions.append(by(actor)) }
    if let since = query.since { conditions.append("at >= \(since)") }
    if let until = query.until { conditions.append("at < \(until)") }
    if let after = query.after { conditions.append("id > \(after)") }
    if let before = query.before { conditions.append("id < \(before)") }
    return """
      SELECT id, at, event, actor, account_id, session_id, request_id, address, revision, details, audit_link.seq
      FROM audit LEFT JOIN audit_link ON audit_link.audit_id = audit.id
      WHERE \(.joined(conditions, by: " AND ")) ORDER BY id DESC LIMIT \(max(0, limit))
      """
  }

  /// Names are compared as text: no character of a name is a pattern. Each condition holds the one of the index that
  /// finds such rows.
  private static func by(_ actor: AuditActor) -> SQL {
    switch actor {
    // A user acts on the account of their own; an act on another one is an administrator's.
    case .user(let id): "actor = \(Actor.user(id).text) AND account_id = \(id.uuid)"
    case .exactly(let text) where text.hasPrefix("administrator:"):
      "actor = \(text) AND actor LIKE 'administrator:%'"
    case .exactly(let text): "actor = \(text)"
    case .operator(let name):
      """
      actor LIKE 'operator:%' AND (actor = 'operator:' || \(name)::text
        OR starts_with(actor, 'operator:' || \(name)::text || ' (')
        OR actor LIKE '%)' AND EXISTS (
          SELECT FROM regexp_split_to_table(rtrim(substring(actor FROM position('(' IN actor) + 1), ')'), '[;,] ') AS part
          WHERE part IN (\(name), \(name)::text || ' by login', \(name)::text || ' by sudo', 'as ' || \(name)::text)))
      """
    }
  }
}

extension PostgresTenantStore {
  func audit(_ query: AuditQuery, limit: Int) async throws -> [AuditEntry] {
    try await read(AuditRows.search(query, limit: limit)).readKnown { try AuditEntry(&$0) }
  }
}

extension PostgresTenantDirectory {
  package func audit(_ query: AuditQuery, of logs: [TenantID], limit: Int) async throws -> [LoggedEntry] {
    var query = query
    var found: [LoggedEntry] = []
    for start in stride(from: 0, to: logs.count, by: AuditRows.logsAtOnce) {
      let some = Array(logs[start..<min(start + AuditRows.logsAtOnce, logs.count)])
      let answers = try await readTrails(of: some, AuditRows.search(query, limit: limit))
      for (log, rows) in zip(some, answers) {
        found += try rows.readKnown { try AuditEntry(&$0) }.map { LoggedEntry(log: log, entry: $0) }
      }
      found.sort { $1.entry.id.bytes.lexicographicallyPrecedes($0.entry.id.bytes) }
      guard found.count >= limit, limit > 0 else { continue }
      found.removeLast(found.count - limit)
      // Older ones of the logs to come would not be among the first.
      query.after = found.last?.entry.id
    }
    return found
  }
}
