import Foundation
import GatehouseIdentity
import GatehousePrimitives

/// Statements and rows of identities at providers.
enum ProviderRows {
  static func statements(of change: ProviderChange) -> [SQL] {
    switch change {
    case .link(let identity): link(identity)
    case .unlink(let user, let scope): unlink(user, scope)
    case .setLink(let user, let provider, let state, let scopes): [setLink(user, provider, state, scopes: scopes)]
    case .requireSignInMethod(let user, let methods, let parties): [requireSignInMethod(user, methods, parties)]
    case .reclaim(let user, let email): reclaim(user, email)
    case .useIDToken(let use): [take(use)]
    }
  }

  static let columns: SQL = """
    provider_identity.account_id, provider_identity.provider, provider_identity.issuer, provider_identity.subject,
    provider_identity.exclusive, provider_identity.scopes, provider_identity.linked_at, provider_identity.state
    """

  private static func setLink(
    _ user: UserID, _ provider: String, _ state: LinkedIdentity.State, scopes: [String]?
  ) -> SQL {
    .requiring(
      .linkExists,
      """
      UPDATE provider_identity SET state = \(state.rawValue), scopes = coalesce(\(scopes), scopes),
        changed_at = gatehouse.now()
      WHERE account_id = \(user.uuid) AND provider = \(provider) RETURNING 1
      """)
  }

  /// One identity for each account and provider: another person there takes the place of the first, whose grants go.
  private static func link(_ identity: ProviderIdentity) -> [SQL] {
    let mine: SQL = "account_id = \(identity.user.uuid) AND provider = \(identity.provider)"
    let user: SQL = "issuer = \(identity.issuer) AND subject = \(identity.subject)"
    return [
      "SELECT 1 FROM account WHERE id = \(identity.user.uuid) FOR NO KEY UPDATE",
      "DELETE FROM provider_identity WHERE \(mine) AND NOT (\(user))",
      // An index keeps exclusive ones apart; one that others share already can not become exclusive. (Each half has an
      // index of its own.)
      """
      SELECT \(
        .require(
          """
          NOT EXISTS (SELECT FROM provider_identity WHERE \(user) AND exclusive
            AND account_id <> \(identity.user.uuid))
          AND /* GUARD: identity: a shared one becomes no exclusive one */
            NOT (\(identity.isExclusive) AND EXISTS (SELECT FROM provider_identity WHERE \(user) AND NOT exclusive
            AND account_id <> \(identity.user.uuid)))
          """, .identityIsFree))
      """,
      """
      INSERT INTO provider_identity AS known (account_id, provider, issuer, subject, exclusive, scopes, state, linked_at,
        changed_at)
      VALUES (\(identity.user.uuid), \(identity.provider), \(identity.issuer), \(identity.subject),
        \(identity.isExclusive), \(identity.link.scopes), \(identity.link.state.rawValue), gatehouse.now(),
        gatehouse.now())
      ON CONFLICT ON CONSTRAINT provider_identity_pkey DO UPDATE SET exclusive = excluded.exclusive,
        scopes = excluded.scopes, state = excluded.state, linked_at = excluded.linked_at, changed_at = excluded.changed_at
      """,
    ]
  }

  private static func unlink(_ user: UserID, _ scope: UnlinkScope) -> [SQL] {
    // The account first, as everything else locks it: of two people who each remove one of two ways in, one is second.
    let turn: SQL = "SELECT 1 FROM account WHERE id = \(user.uuid) FOR NO KEY UPDATE"
    switch scope {
    case .provider(let provider):
      return [
        turn,
        .requiring(
          .linkExists,
          "DELETE FROM provider_identity WHERE account_id = \(user.uuid) AND provider = \(provider) RETURNING 1"),
      ]
    case .untrusted(let keeping):
      return [
        turn,
        """
        DELETE FROM provider_identity USING account WHERE account.id = \(user.uuid)
          AND provider_identity.account_id = account.id
          AND /* GUARD: reset: links that are no way in stay */ provider <> ALL(\(keeping))
          AND (linked_at < coalesce(email_verified_at, 'infinity')
            OR /* GUARD: reset: identities linked since mail was read */
              linked_at > coalesce(mail_proven_at, email_verified_at))
        """,
      ]
    }
  }

  private static func requireSignInMethod(_ user: UserID, _ methods: [String], _ parties: [String]) -> SQL {
    """
    SELECT \(
      .require(
        """
        (/* GUARD: password door: a stored password is no way in */ 'password' = ANY(\(methods))
          AND EXISTS (SELECT FROM credential WHERE account_id = \(user.uuid)))
        OR EXISTS (SELECT FROM provider_identity WHERE account_id = \(user.uuid) AND exclusive
          AND provider = ANY(\(methods)))
        OR EXISTS (SELECT FROM passkey WHERE account_id = \(user.uuid)
          AND /* GUARD: way in: a passkey of a party that stays */ rp_id = ANY(\(parties)))
        """, .signInMethodRemains))
    """
  }

  /// Removes what the maker of the account could still use: the rows of `AccountTables`, and with other changes
  /// sessions, devices and codes.
  private static func reclaim(_ user: UserID, _ email: String) -> [SQL] {
    [UserRows.reclaim(user, email)] + AccountTables.reclaim(user)
  }

  /// Takes a token's use; a second use at the same moment waits for the first one's transaction.
  private static func take(_ use: IDTokenUse) -> SQL {
    .requiring(
      .idTokenIsUnused,
      """
      INSERT INTO id_token_use AS known (hash, single, expires_at)
      SELECT \(use.hash)::bytea, \(use.isSingle)::boolean, \(use.expiresAt)::timestamptz
      WHERE NOT \(use.isSingle)::boolean
        OR /* GUARD: id token: none from before a restore */ \(use.issuedAt)::timestamptz > \(RestoreRows.recordedAt)
      ON CONFLICT ON CONSTRAINT id_token_use_pkey DO UPDATE SET expires_at = excluded.expires_at
        WHERE /* GUARD: id token: once */ NOT (known.single OR excluded.single) RETURNING 1
      """)
  }

  static let table = AccountTable(
    name: "provider_identity",
    copy: .part { id in
      "SELECT \(columns) FROM provider_identity WHERE account_id = \(id.uuid) ORDER BY linked_at, provider"
    } _: { data, rows, _ in
      data.identities = try rows.read { try ProviderIdentity(&$0) }
    },
    isReclaimed: true,  // GUARD: reclaim: identities
    additions: { "DELETE FROM provider_identity WHERE account_id = \($0.uuid) AND linked_at > \($1)" })
}

extension ProviderIdentity {
  /// From `ProviderRows.columns`.
  init(_ columns: inout RowReader) throws {
    let user: UserID = try columns.next()
    let provider: String = try columns.next()
    self.init(
      user: user, provider: provider, issuer: try columns.next(), subject: try columns.next(),
      isExclusive: try columns.next(),
      link: LinkedIdentity(
        provider: provider, scopes: try columns.next(), linkedAt: try columns.next(),
        state: LinkedIdentity.State(rawValue: try columns.next()) ?? .broken))
  }
}

extension LinkedIdentity {
  /// The links of an account as its row carries them; none where there is nothing.
  static func list(_ stored: JSONB?) throws -> [LinkedIdentity] {
    guard let stored else { return [] }
    return (try JSONParser.parse(stored.bytes).array ?? []).compactMap { link in
      guard let provider = link["provider"]?.string, case .integer(let at) = link["at"] else { return nil }
      return LinkedIdentity(
        provider: provider, scopes: (link["scopes"]?.array ?? []).compactMap(\.string),
        linkedAt: Date(timeIntervalSince1970: Double(at) / 1_000_000),
        state: link["state"]?.string.flatMap(State.init(rawValue:)) ?? .broken)
    }
  }
}

extension PostgresTenantStore {
  func identity(issuer: String, subject: String) async throws -> (identity: ProviderIdentity, user: StoredUser)? {
    try await read(
      """
      SELECT \(ProviderRows.columns), \(UserRows.columns) FROM provider_identity
      JOIN account ON account.id = provider_identity.account_id
      WHERE provider_identity.issuer = \(issuer) AND provider_identity.subject = \(subject) AND exclusive
      """
    ).single { (identity: try ProviderIdentity(&$0), user: try StoredUser(&$0)) }
  }

  func identities(of user: UserID) async throws -> [ProviderIdentity] {
    try await read(
      """
      SELECT \(ProviderRows.columns) FROM provider_identity WHERE account_id = \(user.uuid)
      ORDER BY linked_at, provider
      """
    ).read { try ProviderIdentity(&$0) }
  }
}
