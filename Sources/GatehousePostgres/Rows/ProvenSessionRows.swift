import Foundation
import GatehouseIdentity
import GatehousePrimitives

/// Statements about the proofs of sessions that are open.
enum ProvenSessionRows {
  /// The time of the newest proof stands for all of them: each write moves it. Dates are exact to less than a
  /// millisecond.
  static func reauthenticate(_ id: SessionID, _ proofs: Proofs, seen: Proofs) -> SQL {
    """
    WITH living AS (SELECT authenticated_at FROM session WHERE id = \(id.uuid) AND \(SessionRows.live) FOR UPDATE),
      renewed AS (
        UPDATE session SET authenticated_at = \(proofs.authTime), methods = \(proofs.amr), proofs = \(proofs.stored),
          last_seen_at = gatehouse.now()
        FROM living WHERE id = \(id.uuid)
          AND /* GUARD: proofs: as they were seen */ @ extract(epoch FROM living.authenticated_at - \(seen.authTime)) < 0.001
        RETURNING 1)
    SELECT \(.require("EXISTS (SELECT FROM living)", .sessionIsLive)),
      \(.require("EXISTS (SELECT FROM renewed)", .proofsAreAsSeen))
    """
  }

  /// The session ends, and goes on under the id of another one, with what it has but a push token, which is sealed for
  /// the session that ends.
  static func raise(_ id: SessionID, to session: Session, _ credential: StoredCredential, seen: Proofs) -> SQL {
    let (page, first): ([UInt8]?, SQL) =
      switch credential {
      case .refreshToken(let token): (nil, ", first AS (\(SessionRows.insert(token)))")
      case .page(let hash): (hash, "")
      }
    return """
      WITH living AS (SELECT * FROM session WHERE id = \(id.uuid) AND \(SessionRows.live) FOR UPDATE),
        ended AS (
          UPDATE session SET ended_at = gatehouse.now(), end_reason = \(SessionEnd.raised.rawValue), push_platform = NULL,
            sealed_push_token = NULL
          FROM living WHERE session.id = \(id.uuid)
            AND /* GUARD: raised session: proofs as they were seen */
              @ extract(epoch FROM living.authenticated_at - \(seen.authTime)) < 0.001
          RETURNING 1),
        opened AS (
          INSERT INTO session (id, account_id, created_at, last_seen_at, authenticated_at, methods, expires_at,
            idle_expires_at, device_name, device_id, place, proofs, client, page_hash)
          SELECT \(session.id.uuid), account_id, created_at, gatehouse.now(), \(session.proofs.authTime),
            \(session.proofs.amr), expires_at, idle_expires_at, device_name, device_id, place, \(session.proofs.stored),
            client, \(page)::bytea
          FROM living)\(first)
      SELECT \(.require("EXISTS (SELECT FROM living)", .sessionIsLive)),
        \(.require("EXISTS (SELECT FROM ended)", .proofsAreAsSeen))
      """
  }

  /// The sessions of an account, but for one, that this factor proved and no other second factor.
  static func lifted(of user: UserID, by factor: UUID, except session: SessionID) -> SQL {
    """
    account_id = \(user.uuid) AND id <> \(session.uuid)
      AND /* GUARD: factor: sessions that it lifted end with it */ EXISTS (
        SELECT FROM jsonb_array_elements(proofs) AS proof WHERE proof ->> 'factor' = \(factor.text))
      AND NOT EXISTS (
        SELECT FROM jsonb_array_elements(proofs) AS proof
        WHERE proof ->> 'method' = ANY (\(Proof.Method.seconds)) AND proof ->> 'factor' IS DISTINCT FROM \(factor.text))
    """
  }
}
