import Foundation
import GatehouseIdentity
import GatehouseServerTesting
import GatehouseTesting

extension ReachTests {
  /// 400 people with a password, a username, a session with its token, a code and an audit row each, and as
  /// many codes of no account. Nothing is analysed.
  func crowd(_ ground: StoreFixture) async throws {
    try await ground.place.runAsSuperuser(
      script: """
        SET session_replication_role = replica;
        CREATE TEMPORARY TABLE who AS SELECT n, '\(ground.tenant.uuid)'::uuid AS t,
          ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid AS id,
          ('00000000-0000-7000-8000-' || lpad(to_hex(100000 + n), 12, '0'))::uuid AS sid,
          ('00000000-0000-7000-8000-' || lpad(to_hex(200000 + n), 12, '0'))::uuid AS cid,
          timestamptz '\(ground.now.ISO8601Format())' AS moment FROM generate_series(1, 400) AS n;
        INSERT INTO gatehouse.account (tenant_id, id, email, created_at, updated_at, entered_by)
          SELECT t, id, 'person' || n || '@example.com', moment, moment, 'sign_up' FROM who;
        INSERT INTO gatehouse.unique_value (tenant_id, field, key, account_id) SELECT t, 'username', 'n' || n, id FROM who;
        INSERT INTO gatehouse.search_key (tenant_id, field, key, account_id, standing)
          SELECT t, 'displayName', 'person' || n, id, CASE n WHEN 399 THEN 1 ELSE 0 END FROM who;
        INSERT INTO gatehouse.credential (tenant_id, account_id, phc) SELECT t, id, 'x' FROM who;
        INSERT INTO gatehouse.password_history (tenant_id, account_id, number, phc)
          SELECT t, id, number, 'x' FROM who, generate_series(1, 4) AS number;
        INSERT INTO gatehouse.session (tenant_id, id, account_id, created_at, last_seen_at, authenticated_at, methods,
            expires_at, idle_expires_at)
          SELECT t, sid, id, moment, moment, moment, '{pwd}', moment + interval '1 day', moment + interval '1 day'
          FROM who;
        INSERT INTO gatehouse.refresh_token (tenant_id, hash, session_id, created_at)
          SELECT t, sha256(n::text::bytea), sid, moment FROM who;
        INSERT INTO gatehouse.one_time_code (tenant_id, id, purpose, account_id, destination, token_hash,
            token_expires_at, code_expires_at, created_at)
          SELECT t, cid, 'verify_email', id, 'person' || n || '@example.com', sha256(n::text::bytea),
            moment + interval '1 day', moment + interval '1 day', moment FROM who;
        INSERT INTO gatehouse.one_time_code (tenant_id, id, purpose, destination, token_hash, token_expires_at,
            code_expires_at, created_at)
          SELECT t, sid, 'verify_email', 'stranger' || n, sha256(('s' || n)::bytea), moment, moment, moment FROM who;
        INSERT INTO gatehouse.one_time_code (tenant_id, id, purpose, destination, account_id, token_hash, token_expires_at,
            code_expires_at, created_at)
          SELECT t, ('00000000-0000-7000-8000-' || lpad(to_hex(k * 1000000 + n), 12, '0'))::uuid, purpose, address || n, owner,
            sha256((purpose || n)::bytea), moment + interval '1 day', moment + interval '1 day', moment
          FROM who, LATERAL (VALUES (1, 'complete_sign_up', 'stranger', NULL), (2, 'undo_email_change', 'left', id))
            AS kind (k, purpose, address, owner);
        INSERT INTO gatehouse.device (tenant_id, id, account_id, token_hash, created_at, last_seen_at)
          SELECT t, cid, id, sha256(n::text::bytea), moment, moment FROM who;
        INSERT INTO gatehouse.attest_key (tenant_id, key_id, point, environment, counter, account_id, created_at, last_used_at)
          SELECT t, sha256(n::text::bytea), sha256(n::text::bytea) || sha256(n::text::bytea) || '\\x04', 'production', 1, id,
            moment, moment FROM who;
        INSERT INTO gatehouse.attest_challenge (tenant_id, digest, expires_at) SELECT t, sha256(n::text::bytea), moment FROM who;
        INSERT INTO gatehouse.idempotency_key (tenant_id, key, body, claim, claimed_until, expires_at, account_id)
          SELECT t, sha256(n::text::bytea), sha256(n::text::bytea), cid, moment, moment + interval '1 day', id FROM who;
        INSERT INTO gatehouse.provider_identity (tenant_id, account_id, provider, issuer, subject, linked_at, changed_at)
          SELECT t, id, 'google', 'https://p.example', n::text, moment, moment FROM who;
        INSERT INTO gatehouse.provider_grant (tenant_id, account_id, provider, version, person_hash, sealed_tokens, revocable,
            kept_at)
          SELECT t, id, 'google', 1, sha256(n::text::bytea), '', true, moment FROM who;
        INSERT INTO gatehouse.ticket (tenant_id, hash, provider, purpose, account_id, session_id, epoch, sealed_payload,
            created_at, expires_at)
          SELECT t, sha256(n::text::bytea), 'google', 'link', id, sid, 0, '', moment, moment + interval '1 day' FROM who;
        INSERT INTO gatehouse.totp (tenant_id, id, account_id, sealed_seed, last_step, created_at)
          SELECT t, cid, id, '', 1, moment FROM who;
        INSERT INTO gatehouse.passkey (tenant_id, id, account_id, credential_id, rp_id, public_key, algorithm, sign_count,
            model, attested, backup_eligible, backed_up, transports, created_at)
          SELECT t, sid, id, sha256(n::text::bytea), 'example.com', '', -7, 0, decode(md5(''), 'hex'), false, false, false,
            '{}', moment FROM who;
        INSERT INTO gatehouse.recovery_code (tenant_id, mac, account_id, created_at)
          SELECT t, sha256((k || 'r' || n)::bytea), id, moment FROM who, generate_series(1, 10) AS k;
        INSERT INTO gatehouse.erased_token (tenant_id, hash, client, erased_at)
          SELECT t, sha256(('e' || n)::bytea), 'app', moment FROM who;
        INSERT INTO gatehouse.backfill (tenant_id, id, field, source, revision, author, state, begun_at, due_at)
          SELECT t, cid, n::text, 'former' || n, 1, '', 'moved', moment, moment FROM who;
        INSERT INTO gatehouse.backfill_value (tenant_id, backfill_id, account_id, stored, given, moved_at)
          SELECT t, cid, id, '1', '1', moment FROM who;
        INSERT INTO gatehouse.id_token_use (tenant_id, hash, single, expires_at)
          SELECT t, sha256(n::text::bytea), true, moment + interval '1 day' FROM who;
        INSERT INTO gatehouse.audit (tenant_id, id, at, event, actor, account_id)
          SELECT t, cid, moment, 'user_created', 'anonymous', id FROM who;
        """)
  }
}
