-- One rotation as a client would write it that asks PostgreSQL one thing after the other, in one transaction. Each client
-- has a chain of its own: token N of a client is the hash of its number, and :sequence is where it stands.
\if :sequence = 0
\set sequence :first + :client_id * 1000000
\endif
\set successor :sequence + 1
BEGIN;
SELECT set_config('app.tenant', :tenant, true);
SELECT session.id AS session_key, session.account_id, session.created_at, session.last_seen_at,
  session.authenticated_at, session.methods, session.expires_at, session.idle_expires_at, session.device_name,
  session.ended_at, account.id, account.email, account.email_verified_at, account.disabled_at, account.profile,
  account.is_online, account.last_seen, account.created_at, account.updated_at, account.password_changed_at,
  account.must_change_password, account.entered_by, refresh_token.created_at AS token_created_at,
  refresh_token.spent_at, refresh_token.sealed_successor, refresh_token.successor_hash, gatehouse.now() AS moment
FROM refresh_token JOIN session ON session.id = refresh_token.session_id
JOIN account ON account.id = session.account_id WHERE refresh_token.hash = sha256(int8send(:sequence)) \gset
WITH done AS (UPDATE refresh_token SET spent_at = gatehouse.now(),
    sealed_successor = '\x01000000012f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a',
    successor_hash = sha256(int8send(:successor))
  WHERE hash = sha256(int8send(:sequence)) AND session_id = :session_key AND spent_at IS NULL RETURNING 1)
SELECT gatehouse.require((SELECT count(*) FROM done) = 1, 'refresh_token_is_unspent');
WITH done AS (UPDATE session SET last_seen_at = gatehouse.now(), idle_expires_at = now() + interval '30 days'
  WHERE id = :session_key AND ended_at IS NULL AND expires_at > gatehouse.now()
    AND idle_expires_at > gatehouse.now() RETURNING 1)
SELECT gatehouse.require((SELECT count(*) FROM done) = 1, 'session_is_live');
INSERT INTO refresh_token (hash, session_id, created_at) VALUES (sha256(int8send(:successor)), :session_key, now());
COMMIT;
\set sequence :successor
