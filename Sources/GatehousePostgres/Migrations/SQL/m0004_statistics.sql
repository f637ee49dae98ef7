-- What the planner has to know before there is anything to know.
--
-- Of a column that was never analysed it assumes 200 different values: a tenant would be a handful of rows, a walk
-- through all of it as cheap as the key, and what concerns one person would cost more with every other one. So a tenant
-- counts as the whole table. Some rows of each kind, each of another tenant so that none is remembered as common, are
-- analysed and taken back; what that taught about tenant_id stays, for it is not analysed again.

CREATE VIEW gatehouse.sample AS
  SELECT n, lpad(n::text, 40, '-') AS name, sha256(n::text::bytea) AS hash, now() AS moment,
    ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid AS id FROM generate_series(1, 200) AS n;

DO $$
DECLARE wanted text;
BEGIN
  FOR wanted IN SELECT relname FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE relnamespace = 'gatehouse'::regnamespace AND relkind = 'r' AND attname = 'tenant_id'
  LOOP
    EXECUTE format('ALTER TABLE gatehouse.%I ALTER COLUMN tenant_id SET (n_distinct = 1)', wanted);
    EXECUTE format('CREATE POLICY sample ON gatehouse.%I TO gatehouse_owner USING (true) WITH CHECK (true)', wanted);
  END LOOP;
END $$;
ALTER TABLE gatehouse.unique_value ALTER COLUMN field SET (n_distinct = 1);
ALTER TABLE gatehouse.one_time_code ALTER COLUMN purpose SET (n_distinct = 1);

INSERT INTO gatehouse.policy_revision (tenant_id, number, text, digest, author, reason, created_at)
  SELECT id, n, name, hash, name, name, moment FROM gatehouse.sample;
INSERT INTO gatehouse.data_key (tenant_id, version, sealed, created_at)
  SELECT id, n, hash, moment FROM gatehouse.sample;
INSERT INTO gatehouse.signing_key (tenant_id, kid, state, sealed_private_key, created_at, changed_at)
  SELECT id, name, 'active', hash, moment, moment FROM gatehouse.sample;
INSERT INTO gatehouse.secret (tenant_id, name, sealed, updated_at) SELECT id, name, hash, moment FROM gatehouse.sample;
INSERT INTO gatehouse.account (tenant_id, id, email, created_at, updated_at, entered_by)
  SELECT id, id, name, moment, moment, 'sign_up' FROM gatehouse.sample;
INSERT INTO gatehouse.unique_value (tenant_id, field, key, account_id) SELECT id, name, name, id FROM gatehouse.sample;
INSERT INTO gatehouse.credential (tenant_id, account_id, phc) SELECT id, id, name FROM gatehouse.sample;
INSERT INTO gatehouse.password_compliance (tenant_id, account_id, rules, complies, seen_on)
  SELECT id, id, hash, true, moment::date FROM gatehouse.sample;
INSERT INTO gatehouse.session (tenant_id, id, account_id, created_at, last_seen_at, authenticated_at, methods,
    expires_at, idle_expires_at)
  SELECT id, id, id, moment, moment, moment, '{pwd}', moment, moment FROM gatehouse.sample;
INSERT INTO gatehouse.refresh_token (tenant_id, hash, session_id, created_at)
  SELECT id, hash, id, moment FROM gatehouse.sample;
INSERT INTO gatehouse.one_time_code (tenant_id, id, purpose, account_id, destination, token_hash, token_expires_at,
    code_expires_at, created_at)
  SELECT id, id, name, id, name, hash, moment, moment, moment FROM gatehouse.sample;
INSERT INTO gatehouse.limit_counter (tenant_id, name, key, window_start, window_end, count)
  SELECT id, name, name, moment, moment, 1 FROM gatehouse.sample;
INSERT INTO gatehouse.sign_in_guard (tenant_id, key, failures, blocked_until, permit, updated_at)
  SELECT id, hash, 1, moment, id, moment FROM gatehouse.sample;
INSERT INTO gatehouse.outbox (tenant_id, id, kind, created_at, due_at, expires_at)
  SELECT id, id, 'verify_email', moment, moment, moment FROM gatehouse.sample;
INSERT INTO gatehouse.audit (tenant_id, id, at, event, actor, account_id)
  SELECT id, id, moment, name, name, id FROM gatehouse.sample;

DO $$
DECLARE
  wanted text;
  tables text[] := ARRAY(SELECT relname FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE relnamespace = 'gatehouse'::regnamespace AND relkind = 'r' AND attname = 'tenant_id');
BEGIN
  FOREACH wanted IN ARRAY tables LOOP
    EXECUTE format('ANALYZE gatehouse.%I', wanted);
    EXECUTE format('ALTER TABLE gatehouse.%I ALTER COLUMN tenant_id SET STATISTICS 0', wanted);
  END LOOP;
  FOREACH wanted IN ARRAY tables LOOP
    EXECUTE format('DELETE FROM gatehouse.%I WHERE tenant_id IN (SELECT id FROM gatehouse.sample)', wanted);
    EXECUTE format('DROP POLICY sample ON gatehouse.%I', wanted);
  END LOOP;
END $$;
DROP VIEW gatehouse.sample;
