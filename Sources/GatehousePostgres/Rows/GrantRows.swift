import Foundation
package import GatehouseIdentity

/// Statements and rows of grants at providers.
enum GrantRows {
  static func statements(of change: GrantChange) -> [SQL] {
    switch change {
    case .keep(let grant): keep(grant)
    case .renew(let grant): [renew(grant)]
    case .forget(let user, let provider, let version): forget(user, provider, version)
    case .drop(let user, let providers, let unlinking): drop(user, at: providers, unlinking: unlinking)
    case .orderRevocation(let grant): [order(grant)]
    }
  }

  private static func drop(_ user: UserID, at providers: [String], unlinking: [String]) -> [SQL] {
    [
      "DELETE FROM provider_grant WHERE account_id = \(user.uuid) AND provider = ANY(\(providers))",
      "DELETE FROM provider_identity WHERE account_id = \(user.uuid) AND provider = ANY(\(unlinking))",
    ]
  }

  /// Replaces an older grant of the same person. Its tokens may still be valid, and revoking them would end the new
  /// grant as well. (A grant of another person went with their identity.) The version goes on, so that a concurrent
  /// refresh of the older grant does not write over the new one.
  private static func keep(_ grant: StoredGrant) -> [SQL] {
    [
      """
      INSERT INTO provider_grant AS known (account_id, provider, version, person_hash, sealed_tokens, revocable, kept_at,
        expires_at)
      VALUES (\(grant.user.uuid), \(grant.provider), \(grant.version), \(grant.providerUserHash), \(grant.sealedTokens),
        \(grant.isRevocable), \(grant.keptAt), \(grant.expiresAt))
      ON CONFLICT ON CONSTRAINT provider_grant_pkey DO UPDATE SET version = excluded.version,
        person_hash = excluded.person_hash, sealed_tokens = excluded.sealed_tokens, revocable = excluded.revocable,
        kept_at = excluded.kept_at, expires_at = excluded.expires_at, leased_until = NULL, paused_until = NULL
      """
    ]
  }

  private static func renew(_ grant: StoredGrant) -> SQL {
    .requiring(
      .grantIsCurrent,
      """
      UPDATE provider_grant SET version = \(grant.version), sealed_tokens = \(grant.sealedTokens),
        revocable = \(grant.isRevocable), kept_at = \(grant.keptAt), expires_at = \(grant.expiresAt),
        leased_until = NULL, paused_until = NULL
      WHERE account_id = \(grant.user.uuid) AND provider = \(grant.provider)
        AND /* GUARD: grant: a renewal follows what was read */ version = \(grant.version - 1)
      RETURNING 1
      """)
  }

  /// Orders a revocation, as `gatehouse.order_revocation` does for stored grants.
  private static func order(_ grant: StoredGrant) -> SQL {
    """
    INSERT INTO provider_revocation (account_id, provider, version, person_hash, sealed_tokens, due_at, expires_at)
    VALUES (\(grant.user.uuid), \(grant.provider), \(grant.version), \(grant.providerUserHash), \(grant.sealedTokens),
      gatehouse.now(), gatehouse.now() + interval '3 days')
    """
  }

  private static func forget(_ user: UserID, _ provider: String, _ version: Int64) -> [SQL] {
    let mine: SQL = "account_id = \(user.uuid) AND provider = \(provider) AND version = \(version)"
    return [
      .requiring(.grantIsCurrent, "UPDATE provider_grant SET revocable = false WHERE \(mine) RETURNING 1"),
      "DELETE FROM provider_grant WHERE \(mine)",
    ]
  }
}

extension PostgresTenantStore {
  func grant(of user: UserID, at provider: String) async throws -> StoredGrant? {
    try await read(
      """
      SELECT version, person_hash, sealed_tokens, revocable, kept_at, expires_at, leased_until, paused_until
      FROM provider_grant WHERE account_id = \(user.uuid) AND provider = \(provider)
      """
    ).single { columns in
      StoredGrant(
        user: user, provider: provider, version: try columns.next(), providerUserHash: try columns.next(),
        sealedTokens: try columns.next(), isRevocable: try columns.next(), keptAt: try columns.next(),
        expiresAt: try columns.next(), leasedUntil: try columns.next(), pausedUntil: try columns.next())
    }
  }

  func leaseGrant(_ grant: StoredGrant, seconds: Int) async throws -> Bool {
    let rows = try await write([
      """
      UPDATE provider_grant SET leased_until = gatehouse.now() + make_interval(secs => \(Double(seconds)))
      WHERE account_id = \(grant.user.uuid) AND provider = \(grant.provider) AND version = \(grant.version)
        AND /* GUARD: grant: one server refreshes */ coalesce(leased_until, '-infinity') <= gatehouse.now()
        AND /* GUARD: grant: a provider is left alone */ coalesce(paused_until, '-infinity') <= gatehouse.now()
      RETURNING 1
      """
    ])
    return try rows[0].single() != nil
  }

  func pauseGrant(_ grant: StoredGrant, seconds: Int) async throws {
    _ = try await write([
      """
      UPDATE provider_grant SET leased_until = NULL,
        paused_until = gatehouse.now() + make_interval(secs => \(Double(seconds)))
      WHERE account_id = \(grant.user.uuid) AND provider = \(grant.provider) AND version = \(grant.version)
      """
    ])
  }

  func grantsToWarm(at provider: String, margin: Int, limit: Int) async throws -> [UserID] {
    let soon: SQL = "gatehouse.now() + make_interval(secs => \(Double(margin)))"
    return try await read(
      """
      SELECT account_id FROM provider_grant WHERE provider = \(provider) AND expires_at <= \(soon)
        AND expires_at - gatehouse.now() <= (expires_at - kept_at) / 2
        AND coalesce(leased_until, '-infinity') <= gatehouse.now()
        AND EXISTS (SELECT FROM provider_identity AS link WHERE link.account_id = provider_grant.account_id
          AND link.provider = provider_grant.provider
          AND /* GUARD: grant: a broken link is not kept warm */ link.state = 'linked')
        AND NOT EXISTS (SELECT FROM provider_grant WHERE provider = \(provider) AND expires_at <= \(soon)
          AND paused_until > gatehouse.now())
      ORDER BY expires_at LIMIT \(max(1, limit))
      """
    ).read { try $0.next() }
  }

  func hasGrant(providerUserHash: [UInt8]) async throws -> Bool {
    try await read("SELECT 1 FROM provider_grant WHERE person_hash = \(providerUserHash) LIMIT 1").single() != nil
  }

  func endRevocation(_ id: UUID, audit: AuditEntry?) async throws {
    let audits = audit.map { [AuditRows.insert($0)] + WebhookRows.following($0) } ?? []
    _ = try await write(["DELETE FROM provider_revocation WHERE id = \(id)"] + audits)
  }

  func postponeRevocation(_ id: UUID, seconds: Int) async throws {
    _ = try await write([
      """
      UPDATE provider_revocation SET due_at = gatehouse.now() + make_interval(secs => \(Double(seconds)))
      WHERE id = \(id)
      """
    ])
  }
}

/// Grants of all tenants that are to be given back, for the worker.
package struct PostgresRevocationQueue: RevocationQueue {
  private let database: Database

  /// `database` is logged in as the jobs role.
  package init(_ database: Database) { self.database = database }

  package func takeDueRevocations(limit: Int, lease: Int) async throws -> [DueRevocation] {
    let rows = try await translating {
      try await database.write(
        nil,
        [
          "DELETE FROM provider_revocation WHERE expires_at <= gatehouse.now() AND due_at <= gatehouse.now()",
          """
          WITH due AS MATERIALIZED (
            SELECT tenant_id, id FROM provider_revocation WHERE due_at <= gatehouse.now()
            ORDER BY due_at LIMIT \(max(1, limit)) FOR UPDATE SKIP LOCKED)
          UPDATE provider_revocation AS r SET attempts = r.attempts + 1,
            due_at = gatehouse.now() + make_interval(secs => \(Double(lease)))
          FROM due WHERE r.tenant_id = due.tenant_id AND r.id = due.id
          RETURNING r.tenant_id, r.id, r.account_id, r.provider, r.version, r.person_hash, r.sealed_tokens, r.attempts
          """,
        ])
    }
    return try rows[1].read { columns in
      DueRevocation(
        tenant: try columns.next(), id: try columns.next(), user: try columns.next(), provider: try columns.next(),
        version: try columns.next(), providerUserHash: try columns.next(), sealedTokens: try columns.next(),
        attempts: try columns.next())
    }
  }
}
