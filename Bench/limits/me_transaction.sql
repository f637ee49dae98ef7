-- As me.sql, with the tenant set in each transaction, as a server that shares connections between tenants must do.
BEGIN;
SELECT set_config('app.tenant', :tenant, true);
SELECT session.id, session.account_id, session.created_at, session.last_seen_at, session.authenticated_at,
  session.methods, session.expires_at, session.idle_expires_at, session.device_name, session.ended_at, account.id,
  account.email, account.email_verified_at, account.disabled_at, account.profile, account.is_online,
  account.last_seen, account.created_at, account.updated_at, account.password_changed_at,
  account.must_change_password, account.entered_by FROM session
JOIN account ON account.id = session.account_id WHERE session.id = :session;
COMMIT;
