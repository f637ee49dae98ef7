import Foundation
package import GatehouseIdentity
import GatehousePrimitives

/// Statements and rows of the chain over the audit log.
enum AuditChainRows {
  static let row: SQL = """
    audit.id, audit.at, audit.event, audit.actor, audit.account_id, audit.session_id, audit.revision, audit.request_id,
    audit.address, audit.details
    """

  static let state: SQL = """
    SELECT coalesce((SELECT version FROM audit_head), 0), (SELECT token FROM audit_head), coalesce(last.seq, 0),
      last.hash, (SELECT sealed_private_key FROM audit_key), (SELECT count(*) FROM audit_unsealed), gatehouse.now()
    FROM (SELECT) AS one LEFT JOIN (SELECT seq, hash FROM audit_link ORDER BY seq DESC LIMIT 1) AS last ON true
    """

  static func unsealed(limit: Int) -> SQL {
    """
    SELECT \(row) FROM audit_unsealed JOIN audit ON audit.id = audit_unsealed.audit_id
    ORDER BY audit_unsealed.audit_id LIMIT \(max(0, limit))
    """
  }

  static func seal(_ links: [AuditLink], head: String, expecting version: Int64) -> [SQL] {
    [
      "INSERT INTO audit_head (version) VALUES (0) ON CONFLICT DO NOTHING",
      // The row is locked from here on: another seal or erasure waits for this round, and then finds another version.
      .requiring(
        .auditHeadIsCurrent,
        "UPDATE audit_head SET token = \(head), version = version + 1 WHERE version = \(version) RETURNING 1"),
      """
      INSERT INTO audit_link (seq, audit_id, sealed_at, salt, commitment, hash)
      SELECT * FROM unnest(\(links.map(\.seq)), \(links.map(\.row)),
        \(links.map { Date(microseconds: $0.sealedAt) }), \(links.compactMap(\.salt)), \(links.map(\.commitment)),
        \(links.map(\.hash)))
      """,
      "DELETE FROM audit_unsealed WHERE audit_id = ANY(\(links.map(\.row)))",
    ]
  }
}

extension AuditChainState {
  /// From `AuditChainRows.state`.
  fileprivate init(_ columns: inout RowReader) throws {
    self.init(
      version: try columns.next(), token: try columns.next(), lastSeq: try columns.next(),
      lastHash: try columns.next(), sealedKey: try columns.next(), waiting: try columns.next(),
      now: try columns.next())
  }

  fileprivate static func read(_ rows: Rows) throws -> AuditChainState {
    guard let state = try rows.single({ try AuditChainState(&$0) }) else {
      throw DatabaseError.unexpectedRow("no state")
    }
    return state
  }
}

extension TrailRow {
  /// From `AuditChainRows.row`.
  fileprivate init(_ columns: inout RowReader) throws {
    self.init(
      id: try columns.next(), at: try columns.next(Date.self).microseconds, event: try columns.next(),
      actor: try columns.next(), user: try columns.next(), session: try columns.next(),
      revision: try columns.next(),
      erasable: Erasable(
        requestID: try columns.next(), address: try columns.next(),
        details: try JSONParser.parse(columns.next(JSONB.self).bytes, limits: .stored).canonical.bytes))
  }
}

extension PostgresTenantStore {
  func auditChain() async throws -> AuditChainState {
    try AuditChainState.read(await read(AuditChainRows.state))
  }

  func unsealedAudit(limit: Int) async throws -> (state: AuditChainState, rows: [TrailRow]) {
    // The state first: rows that are read after it and erased before they are sealed meet another version.
    let answers = try await translating {
      try await database.read(tenant.uuid, [AuditChainRows.state, AuditChainRows.unsealed(limit: limit)])
    }
    return (try AuditChainState.read(answers[0]), try answers[1].read { try TrailRow(&$0) })
  }

  func seal(_ links: [AuditLink], head: String, expecting version: Int64) async throws {
    _ = try await write(AuditChainRows.seal(links, head: head, expecting: version))
  }

  func keepAuditKey(_ sealed: [UInt8]) async throws {
    _ = try await write([
      """
      INSERT INTO audit_key (sealed_private_key, created_at) VALUES (\(sealed), gatehouse.now())
      ON CONFLICT DO NOTHING
      """
    ])
  }

  func auditLinks(after seq: Int64, limit: Int) async throws -> [LinkedRow] {
    try await read(
      """
      SELECT link.seq, link.audit_id, link.sealed_at, link.salt, link.commitment, link.hash, audit.id IS NOT NULL,
        \(AuditChainRows.row)
      FROM (SELECT * FROM audit_link WHERE seq > \(seq) ORDER BY seq LIMIT \(max(0, limit))) AS link
      LEFT JOIN audit ON audit.id = link.audit_id ORDER BY link.seq
      """
    ).read { columns in
      let link = AuditLink(
        seq: try columns.next(), row: try columns.next(), sealedAt: try columns.next(Date.self).microseconds,
        salt: try columns.next(), commitment: try columns.next(), hash: try columns.next())
      if try columns.next() { return LinkedRow(link: link, row: try TrailRow(&columns)) }
      columns.skipRest()
      return LinkedRow(link: link, row: nil)
    }
  }

  func strayAudit(before late: Date?) async throws -> TrailRow? {
    try await read(
      """
      SELECT \(AuditChainRows.row) FROM audit
      WHERE NOT EXISTS (SELECT FROM audit_link WHERE audit_link.audit_id = audit.id)
        AND (audit.at < \(late)::timestamptz
          OR NOT EXISTS (SELECT FROM audit_unsealed WHERE audit_unsealed.audit_id = audit.id))
      ORDER BY audit.at, audit.id LIMIT 1
      """
    ).single { try TrailRow(&$0) }
  }

  func lostAudit() async throws -> UUID? {
    try await read(
      """
      SELECT audit_id FROM audit_unsealed
      WHERE NOT EXISTS (SELECT FROM audit WHERE audit.id = audit_unsealed.audit_id) ORDER BY audit_id LIMIT 1
      """
    ).single { try $0.next() }
  }

  func deletions(after seq: Int64) async throws -> [TrailRow] {
    try await read(
      """
      SELECT \(AuditChainRows.row) FROM audit WHERE audit.event = \(AuditEvent.userDeleted.rawValue)
        AND NOT EXISTS (SELECT FROM audit_link AS link WHERE link.audit_id = audit.id AND link.seq <= \(seq))
      """
    ).read { try TrailRow(&$0) }
  }
}

/// The tenants whose rows wait to be sealed.
package struct PostgresAuditQueue: AuditQueue {
  private let database: Database

  /// `database` is logged in as the jobs role.
  package init(_ database: Database) { self.database = database }

  package func tenantsWithUnsealedAudit() async throws -> [TenantID] {
    // One look at the index for each tenant, however many rows of it wait.
    try await translating {
      try await database.read(
        nil,
        """
        WITH RECURSIVE waiting AS (
          (SELECT tenant_id FROM audit_unsealed ORDER BY tenant_id LIMIT 1)
          UNION ALL
          SELECT (SELECT u.tenant_id FROM audit_unsealed AS u WHERE u.tenant_id > waiting.tenant_id
                  ORDER BY u.tenant_id LIMIT 1)
          FROM waiting WHERE waiting.tenant_id IS NOT NULL)
        SELECT tenant_id FROM waiting WHERE tenant_id IS NOT NULL
        """
      ).read { try $0.next() }
    }
  }
}
