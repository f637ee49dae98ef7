package import Foundation
package import GatehouseIdentity
import GatehousePrimitives

/// The tokens of the admin API, on PostgreSQL.
package struct PostgresAdminTokens: AdminTokenStore {
  private let database: Database

  /// `database` is logged in as the server's role.
  package init(_ database: Database) { self.database = database }

  private static let columns: SQL = """
    id, name, scopes, tenants, created_at, created_by, expires_at, last_used_at, revoked_at
    """

  package func adminTokens() async throws -> [AdminToken] {
    try await translating {
      try await database.read(nil, "SELECT \(Self.columns) FROM admin_token ORDER BY name").map { try AdminToken($0) }
    }
  }

  package func liveAdminToken(hash: [UInt8]) async throws -> AdminToken? {
    try await translating {
      let row = try await database.read(
        nil,
        """
        SELECT \(Self.columns), last_used_at IS NULL OR last_used_at < gatehouse.now() - interval '1 minute'
        FROM admin_token WHERE hash = \(hash)
          AND /* GUARD: admin token: not after it was revoked */ revoked_at IS NULL
          AND /* GUARD: admin token: not after its end */ expires_at > gatehouse.now()
        """
      ).single()
      guard let row else { return nil }
      let token = try AdminToken(row)
      if try row[9] {
        _ = try await database.write(
          nil, "UPDATE admin_token SET last_used_at = gatehouse.now() WHERE id = \(token.id)")
      }
      return token
    }
  }

  package func operatorAnswer(key: [UInt8]) async throws -> OperatorAnswer? {
    try await translating {
      let row = try await database.read(
        nil,
        "SELECT body, sealed_answer FROM operator_answer WHERE key = \(key) AND expires_at > gatehouse.now()"
      ).single()
      return try row.map { OperatorAnswer(key: key, body: try $0[0], sealed: try $0[1]) }
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
    _ token: AdminToken, hash: [UInt8], audit: [TenantID: AuditEntry], keeping answer: OperatorAnswer?
  ) async throws {
    _ = try await translating {
      try await database.write(
        nil,
        Self.keep(answer) + [
          """
          INSERT INTO admin_token (id, name, hash, scopes, tenants, created_at, created_by, expires_at)
          VALUES (\(token.id), \(token.name), \(hash), \(token.scopeNames), \(token.tenants?.map(\.uuid)),
            \(token.createdAt), \(token.createdBy), \(token.expiresAt))
          """
        ] + Self.trails(audit))
    }
  }

  package func revokeAdminToken(_ id: UUID, audit: [TenantID: AuditEntry]) async throws -> Bool {
    do {
      _ = try await translating {
        try await database.write(
          nil,
          [
            .requiring(
              .tokenIsLive,
              "UPDATE admin_token SET revoked_at = gatehouse.now() WHERE id = \(id) AND revoked_at IS NULL RETURNING 1")
          ] + Self.trails(audit))
      }
      return true
    } catch StoreError.refused(.tokenIsLive) {
      return false
    }
  }

  /// A row in each tenant's trail. From the first one on the segment is a tenant's.
  private static func trails(_ audit: [TenantID: AuditEntry]) -> [SQL] {
    // One order for everybody.
    audit.sorted { $0.key.uuid.text < $1.key.uuid.text }.flatMap { tenant, entry -> [SQL] in
      ["SELECT set_config('app.tenant', \(tenant.uuid)::text, true)", AuditRows.insert(entry)]
    }
  }
}

extension AdminToken {
  fileprivate init(_ row: Row) throws {
    let scopes: [String] = try row[2]
    let tenants: [UUID]? = try row[3]
    self.init(
      id: try row[0], name: try row[1], scopes: AdminToken.scopes(named: scopes),
      tenants: tenants.map { $0.map { TenantID($0) } }, createdAt: try row[4], createdBy: try row[5],
      expiresAt: try row[6], lastUsedAt: try row[7], revokedAt: try row[8])
  }
}
