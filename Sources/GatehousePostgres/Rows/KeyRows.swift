import Foundation
import GatehouseIdentity

/// Statements and rows of signing keys and of named secrets.
enum KeyRows {
  static let columns: SQL = "kid, state, sealed_private_key, created_at, changed_at"

  static func insert(_ key: StoredSigningKey) -> SQL {
    """
    INSERT INTO signing_key (kid, state, sealed_private_key, created_at, changed_at)
    VALUES (\(key.kid), \(key.state.rawValue), \(key.sealedPrivateKey), \(key.createdAt), \(key.changedAt))
    """
  }
}

extension StoredSigningKey {
  /// From `KeyRows.columns`.
  init?(_ columns: inout RowReader) throws {
    let kid: String = try columns.next()
    guard let state = State(rawValue: try columns.next()) else { return nil }
    self.init(
      kid: kid, state: state, sealedPrivateKey: try columns.next(), createdAt: try columns.next(),
      changedAt: try columns.next())
  }
}

extension PostgresTenantStore {
  func signingKeys() async throws -> [StoredSigningKey] {
    try await read("SELECT \(KeyRows.columns) FROM signing_key ORDER BY created_at DESC")
      .readKnown { try StoredSigningKey(&$0) }
  }

  func replace(_ keys: [StoredSigningKey], expecting: [String: StoredSigningKey.State], audit: AuditEntry)
    async throws
  {
    let expected = expecting.sorted { $0.key < $1.key }
    _ = try await write(
      [
        "SELECT pg_advisory_xact_lock(hashtextextended('signing_key' || gatehouse.tenant()::text, 0))",
        """
        SELECT \(
          .require(
            """
            (SELECT coalesce(array_agg(kid || ' ' || state ORDER BY kid), '{}') FROM signing_key)
              = \(expected.map { "\($0.key) \($0.value.rawValue)" })
            """, .keyStateIsCurrent))
        """,
        "DELETE FROM signing_key",
      ] + keys.map(KeyRows.insert) + [AuditRows.insert(audit), TenantRows.notify])
  }

  func dataKeys() async throws -> [SealedDataKey] {
    try await read("SELECT version, sealed, created_at FROM data_key ORDER BY version").read {
      SealedDataKey(version: try $0.next(), sealed: try $0.next(), createdAt: try $0.next())
    }
  }

  func keepFirstDataKey(_ key: SealedDataKey) async throws {
    _ = try await write([
      """
      INSERT INTO data_key (version, sealed, created_at)
      SELECT \(key.version)::integer, \(key.sealed), \(key.createdAt) WHERE NOT EXISTS (SELECT FROM data_key)
      ON CONFLICT DO NOTHING
      """
    ])
  }

  func addDataKeyUses(_ uses: [Int: Int]) async throws -> [Int: Int] {
    let ordered = uses.sorted { $0.key < $1.key }
    let rows = try await write(
      ordered.map { version, count in
        """
        UPDATE data_key SET uses = uses + \(count) WHERE version = \(version)::integer RETURNING version, uses
        """
      })
    var sums: [Int: Int] = [:]
    for row in rows.joined() {
      try row.read { columns in
        let version: Int = try columns.next()
        sums[version] = try columns.next(Int.self)
      }
    }
    return sums
  }

  func addDataKey(_ key: SealedDataKey, audit: AuditEntry) async throws -> Bool {
    do {
      _ = try await write([
        .requiring(
          .keyStateIsCurrent,
          """
          INSERT INTO data_key (version, sealed, created_at)
          SELECT \(key.version)::integer, \(key.sealed), \(key.createdAt)
          WHERE /* GUARD: data keys: follow the newest */ (SELECT max(version) FROM data_key) = \(key.version - 1)
          ON CONFLICT DO NOTHING RETURNING 1
          """),
        AuditRows.insert(audit), TenantRows.notify,
      ])
      return true
    } catch StoreError.refused(.keyStateIsCurrent) {
      return false
    }
  }

  func rewrap(_ key: SealedDataKey, as wrapped: SealedDataKey, audit: AuditEntry) async throws {
    _ = try await write([
      .requiring(
        .keyStateIsCurrent,
        """
        UPDATE data_key SET sealed = \(wrapped.sealed)
        WHERE version = \(key.version)::integer AND sealed = \(key.sealed) RETURNING 1
        """),
      AuditRows.insert(audit),
    ])
  }

  func secrets() async throws -> [(name: String, updatedAt: Date)] {
    try await read("SELECT name, updated_at FROM secret ORDER BY name").read {
      (name: try $0.next(), updatedAt: try $0.next())
    }
  }

  func secret(_ name: String) async throws -> [UInt8]? {
    try await read("SELECT sealed FROM secret WHERE name = \(name)").single { try $0.next() }
  }

  func setSecret(_ name: String, sealed: [UInt8], audit: AuditEntry) async throws {
    _ = try await write([
      """
      INSERT INTO secret (name, sealed, updated_at) VALUES (\(name), \(sealed), gatehouse.now())
      ON CONFLICT (tenant_id, name) DO UPDATE SET sealed = excluded.sealed, updated_at = excluded.updated_at
      """,
      AuditRows.insert(audit),
    ])
  }

  func removeSecret(_ name: String, audit: AuditEntry) async throws -> Bool {
    let rows = try await write(["DELETE FROM secret WHERE name = \(name) RETURNING 1", AuditRows.insert(audit)])
    return rows[0].count == 1
  }
}
