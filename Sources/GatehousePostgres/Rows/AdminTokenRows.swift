package import Foundation
package import GatehouseIdentity
import GatehousePrimitives

/// The tokens of the admin API, on PostgreSQL.
package struct PostgresAdminTokens: AdminTokenStore {
  private let database: Database
  private let console: (@Sendable () async throws -> Database)?

  /// `database` is logged in as the server's role. `console` connects as a member of the schema's owner, for calls
  /// without an asking token; a server has none.
  package init(_ database: Database, console: (@Sendable () async throws -> Database)? = nil) {
    self.database = database
    self.console = console
  }

  private static let columns: SQL = """
    id, name, scopes, tenants, created_at, created_by, expires_at, last_used_at, revoked_at
    """

  package func adminTokens() async throws -> [AdminToken] {
    try await translating {
      try await database.read(nil, "SELECT \(Self.columns) FROM admin_token ORDER BY name").read { try AdminToken(&$0) }
    }
  }

  package func liveAdminToken(hash: [UInt8]) async throws -> AdminToken? {
    try await translating {
      let found = try await database.read(
        nil,
        """
        SELECT \(Self.columns), last_used_at IS NULL OR last_used_at < gatehouse.now() - interval '1 minute'
        FROM gatehouse.admin_token_of(\(hash))
        WHERE /* GUARD: admin token: not after it was revoked */ revoked_at IS NULL
          AND /* GUARD: admin token: not after its end */ expires_at > gatehouse.now()
        """
      ).single { (token: try AdminToken(&$0), isUnnoted: try $0.next(Bool.self)) }
      guard let found else { return nil }
      if found.isUnnoted { _ = try await database.write(nil, "SELECT gatehouse.note_admin_token_use(\(hash))") }
      return found.token
    }
  }

  package func operatorAnswer(key: [UInt8]) async throws -> OperatorAnswer? {
    try await translating {
      try await database.read(
        nil,
        "SELECT body, sealed_answer FROM operator_answer WHERE key = \(key) AND expires_at > gatehouse.now()"
      ).single { OperatorAnswer(key: key, body: try $0.next(), sealed: try $0.next()) }
    }
  }

  /// The statements that keep an answer in the transaction of its effect; they sweep those that expired.
  static func keep(_ answer: OperatorAnswer?) -> [SQL] {
    guard let answer else { return [] }
    return [
      "DELETE FROM operator_answer WHERE expires_at <= gatehouse.now()",
      """
      INSERT INTO operator_answer (key, body, sealed_answer, expires_at)
      VALUES (\(answer.key), \(answer.body), \(answer.sealed), gatehouse.now() + interval '24 hours')
      """,
    ]
  }

  package func insert(
    _ token: AdminToken, hash: [UInt8], asking: [UInt8]?, audit: [TenantID: AuditEntry],
    keeping answer: OperatorAnswer?
  ) async throws {
    _ = try await write(
      asking: asking,
      Self.keep(answer) + [
        """
        SELECT gatehouse.make_admin_token(\(asking), \(token.id), \(token.name), \(hash), \(token.scopeNames),
          \(token.tenants?.map(\.uuid)), \(token.createdAt), \(token.createdBy), \(token.expiresAt))
        """
      ] + Self.trails(audit))
  }

  package func revokeAdminToken(_ id: UUID, asking: [UInt8]?, audit: [TenantID: AuditEntry]) async throws -> [String] {
    let answers = try await write(
      asking: asking,
      ["SELECT revoked_name FROM gatehouse.revoke_admin_token(\(asking), \(id))"]
        + Self.trails(audit) { [Self.followed($0, id)] })
    return try answers[0].read { try $0.next() }
  }

  /// One transaction: as the server, or at the console as the owner of the schema, which needs no token.
  private func write(asking: [UInt8]?, _ statements: [SQL]) async throws -> [Rows] {
    try await translating {
      guard asking == nil, let console else { return try await database.write(nil, statements) }
      let owner = try await console()
      do {
        let answers = try await owner.write(nil, statements)
        await owner.stop()
        return answers
      } catch {
        await owner.stop()
        throw error
      }
    }
  }

  /// A row like `entry`, which is about the token `first`, for each token that ended with it and reaches the tenant
  /// that is set.
  private static func followed(_ entry: AuditEntry, _ first: UUID) -> SQL {
    """
    INSERT INTO audit (id, at, event, actor, request_id, address, details)
    SELECT gatehouse.make_id(), \(AuditRows.now), \(entry.event.rawValue), \(entry.actor), \(entry.requestID), \(entry.address),
      \(AuditRows.json(entry.details)) - 'expires_at' || jsonb_build_object('name', name,
        'scopes', array_to_string(scopes, ' '), 'tenants', CASE WHEN tenants IS NULL THEN 'all' ELSE 'listed' END,
        'revoked_with', \(entry.details["name"])::text)
    FROM admin_token
    WHERE id = ANY (string_to_array(current_setting('app.revoked_tokens'), ',')::uuid[]) AND id <> \(first)
      AND (tenants IS NULL OR /* GUARD: admin token: in no trail out of its reach */ gatehouse.tenant() = ANY (tenants)
        OR gatehouse.tenant() = gatehouse.installation())
    """
  }

  /// A row in each tenant's audit log, and the statements that follow it there. From the first one on the batch is a
  /// tenant's.
  private static func trails(_ audit: [TenantID: AuditEntry], following: (AuditEntry) -> [SQL] = { _ in [] }) -> [SQL] {
    // The same order in every transaction, so that two of them never deadlock.
    audit.sorted { $0.key.uuid.text < $1.key.uuid.text }.flatMap { tenant, entry -> [SQL] in
      ["SELECT set_config('app.tenant', \(tenant.uuid)::text, true)", AuditRows.insert(entry)] + following(entry)
    }
  }
}

extension AdminToken {
  fileprivate init(_ columns: inout RowReader) throws {
    self.init(
      id: try columns.next(), name: try columns.next(), scopes: AdminToken.scopes(named: try columns.next()),
      tenants: try columns.next([UUID]?.self).map { $0.map { TenantID($0) } }, createdAt: try columns.next(),
      createdBy: try columns.next(), expiresAt: try columns.next(), lastUsedAt: try columns.next(),
      revokedAt: try columns.next())
  }
}
