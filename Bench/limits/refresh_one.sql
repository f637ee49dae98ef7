-- One rotation by the server's one statement, with the tenant set in the same transaction. For the rest see refresh.sql.
\if :sequence = 0
\set sequence :first + :client_id * 1000000
\endif
\set successor :sequence + 1
BEGIN;
SELECT set_config('app.tenant', :tenant, true);
WITH spent AS (
  UPDATE refresh_token SET spent_at = gatehouse.now(),
    sealed_successor = '\x01000000012f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a2f8a',
    successor_hash = sha256(int8send(:successor)), retry_digest = NULL, superseded = false
  WHERE hash = sha256(int8send(:sequence)) AND spent_at IS NULL RETURNING session_id, predecessor_hash),
before AS (
  UPDATE refresh_token SET sealed_successor = NULL, superseded = true
  WHERE hash = (SELECT predecessor_hash FROM spent)),
living AS (
  UPDATE session SET last_seen_at = gatehouse.now(),
    idle_expires_at = least(expires_at, gatehouse.now() + make_interval(secs => 2592000))
  WHERE id = (SELECT session_id FROM spent) AND ended_at IS NULL AND expires_at > gatehouse.now()
    AND idle_expires_at > gatehouse.now() RETURNING *),
successor AS (
  INSERT INTO refresh_token (hash, session_id, created_at, predecessor_hash)
  SELECT sha256(int8send(:successor)), id, gatehouse.now(), sha256(int8send(:sequence)) FROM living)
SELECT session.id, session.account_id, session.created_at, session.last_seen_at, session.authenticated_at,
  session.methods, session.expires_at, session.idle_expires_at, session.device_name, session.ended_at, account.id,
  account.email, account.email_verified_at, account.disabled_at, account.profile, account.is_online,
  account.last_seen, account.created_at, account.updated_at, account.password_changed_at,
  account.must_change_password, account.entered_by,
  gatehouse.require(session.id IS NOT NULL, 'session_is_live'),
  gatehouse.require(account.disabled_at IS NULL, 'account_is_enabled')
FROM spent LEFT JOIN living AS session ON true
LEFT JOIN account ON account.id = (SELECT account_id FROM living);
COMMIT;
\set sequence :successor
