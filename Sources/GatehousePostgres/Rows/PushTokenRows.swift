import Foundation
import GatehouseIdentity
import GatehousePolicy

/// Statements of push tokens.
enum PushTokenRows {
  /// Sets or (nil) removes the token of a session that lives.
  static func set(_ token: PushToken?, of id: SessionID) -> [SQL] {
    (token?.digest.map { claim($0, for: id) } ?? []) + [
      """
      UPDATE session SET push_platform = \(token?.platform.rawValue), sealed_push_token = \(token?.sealed),
        push_token_digest = \(token?.digest)
      WHERE id = \(id.uuid) AND ended_at IS NULL
      """
    ]
  }

  /// Takes a token away from other accounts. Of two that register one token at once the second waits at the lock, and
  /// then sees what the first wrote. The session's own token goes as well, so that its digest is set anew: the trigger
  /// `push_digest_of_other` takes a digest that stays the same for the digest of another token.
  private static func claim(_ digest: [UInt8], for id: SessionID) -> [SQL] {
    [
      "SELECT pg_advisory_xact_lock(hashtextextended(encode(\(digest)::bytea, 'hex'), 0))",
      """
      UPDATE session SET push_platform = NULL, sealed_push_token = NULL, push_token_digest = NULL
      WHERE push_token_digest = \(digest) AND (id = \(id.uuid)
        OR /* GUARD: push tokens: of the account that registered it last */ account_id <> (
          SELECT own.account_id FROM session AS own WHERE own.id = \(id.uuid)))
      """,
    ]
  }
}

extension PostgresTenantStore {
  func pushTokens(
    of users: [UserID], under rules: Sessions, after place: (UserID, SessionID)?, limit: Int
  ) async throws -> [StoredPushToken] {
    guard !users.isEmpty else { return [] }
    let behind: SQL = place.map { "AND (held.account_id, held.id) > (\($0.0.uuid), \($0.1.uuid))" } ?? ""
    let rows = try await read(
      """
      SELECT held.account_id, held.id, held.push_platform, held.sealed_push_token
      FROM unnest(\(users.map(\.uuid))) AS person (id)
      JOIN account ON account.id = person.id
        AND /* GUARD: push tokens: not of a disabled account */ account.disabled_at IS NULL
      CROSS JOIN LATERAL (
        SELECT account_id, id, push_platform, sealed_push_token FROM session
        WHERE account_id = person.id AND sealed_push_token IS NOT NULL
          AND /* GUARD: push tokens: of sessions that live */ \(SessionRows.live)
          AND created_at > gatehouse.now() - make_interval(secs => \(Double(rules.refreshMaxTTL)))
          AND last_seen_at > gatehouse.now() - make_interval(secs => \(Double(rules.refreshIdleTTL)))) AS held
      WHERE true \(behind) ORDER BY held.account_id, held.id LIMIT \(max(0, limit))
      """)
    return try rows.readKnown { columns in
      let user: UserID = try columns.next()
      let session: SessionID = try columns.next()
      guard let platform = PushToken.Platform(rawValue: try columns.next()) else { return nil }
      return StoredPushToken(
        user: user, session: session, token: PushToken(platform: platform, sealed: try columns.next()))
    }
  }

  func pushTokensWithoutDigest(after session: SessionID?, limit: Int) async throws -> [StoredPushToken] {
    let behind: SQL = session.map { "AND id > \($0.uuid)" } ?? ""
    let rows = try await read(
      """
      SELECT account_id, id, push_platform, sealed_push_token FROM session
      WHERE sealed_push_token IS NOT NULL AND push_token_digest IS NULL \(behind) ORDER BY id LIMIT \(max(0, limit))
      """)
    return try rows.read { columns in
      let user: UserID = try columns.next()
      let session: SessionID = try columns.next()
      // A platform that this build does not know is of no account's token that it could take over.
      let platform = PushToken.Platform(rawValue: try columns.next()) ?? .apns
      return StoredPushToken(
        user: user, session: session, token: PushToken(platform: platform, sealed: try columns.next()))
    }
  }

  func noteDigests(of tokens: [StoredPushToken]) async throws {
    _ = try await write([
      """
      UPDATE session SET push_token_digest = known.digest
      FROM unnest(\(tokens.map(\.session.uuid)), \(tokens.map(\.token.sealed)), \(tokens.map { $0.token.digest ?? [] }))
        AS known (id, sealed, digest)
      WHERE session.id = known.id AND session.sealed_push_token = known.sealed AND session.push_token_digest IS NULL
      """
    ])
  }

  func removePushTokens(_ tokens: [StoredPushToken], of user: UserID, noting entry: AuditEntry) async throws
    -> Int
  {
    let answers = try await write(
      [
        // Account before session, as a sign-in locks them.
        "SELECT 1 FROM account WHERE id = \(user.uuid) FOR NO KEY UPDATE",
        """
        UPDATE session SET push_platform = NULL, sealed_push_token = NULL
        FROM unnest(\(tokens.map(\.session.uuid)), \(tokens.map(\.token.sealed))) AS rejected (id, sealed)
        WHERE session.id = rejected.id AND session.account_id = \(user.uuid)
          AND /* GUARD: push tokens: not one that came since */ session.sealed_push_token = rejected.sealed
        RETURNING 1
        """,
      ] + AuditRows.trail([entry]))
    return answers[1].affected
  }
}
