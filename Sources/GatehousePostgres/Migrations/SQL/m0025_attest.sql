-- Keys of App Attest: one for a copy of an app on a device. The account is the one that last opened a session with it; the key goes
-- with it.
CREATE TABLE gatehouse.attest_key (
  tenant_id uuid NOT NULL DEFAULT gatehouse.tenant(),
  -- SHA-256 of the point.
  key_id bytea NOT NULL CHECK (octet_length(key_id) = 32),
  point bytea NOT NULL CHECK (octet_length(point) = 65),
  environment text NOT NULL CHECK (environment IN ('development', 'production')),
  counter bigint NOT NULL CHECK (counter BETWEEN 0 AND 4294967295),
  account_id uuid,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, key_id),
  CONSTRAINT attest_key_account FOREIGN KEY (tenant_id, account_id)
    REFERENCES gatehouse.account (tenant_id, id) ON DELETE CASCADE
) WITH (fillfactor = 85);
CREATE INDEX attest_key_account ON gatehouse.attest_key (tenant_id, account_id);
CREATE INDEX attest_key_unbound ON gatehouse.attest_key (created_at) WHERE account_id IS NULL;
CREATE INDEX attest_key_age ON gatehouse.attest_key USING brin (created_at);

-- Challenges that were used, until their time is over: what was not used is not stored.
CREATE TABLE gatehouse.attest_challenge (
  tenant_id uuid NOT NULL DEFAULT gatehouse.tenant(),
  digest bytea NOT NULL CHECK (octet_length(digest) = 32),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, digest)
);
CREATE INDEX attest_challenge_expiry ON gatehouse.attest_challenge (expires_at);

DO $$
DECLARE wanted text;
BEGIN
  FOREACH wanted IN ARRAY ARRAY['attest_key', 'attest_challenge'] LOOP
    EXECUTE format('ALTER TABLE gatehouse.%I ENABLE ROW LEVEL SECURITY', wanted);
    EXECUTE format('ALTER TABLE gatehouse.%I FORCE ROW LEVEL SECURITY', wanted);
    EXECUTE format($policy$
      CREATE POLICY tenant ON gatehouse.%I
        USING (tenant_id = (SELECT nullif(current_setting('app.tenant', true), '')::uuid))
        WITH CHECK (tenant_id = (SELECT nullif(current_setting('app.tenant', true), '')::uuid))
      $policy$, wanted);
    EXECUTE format('CREATE POLICY jobs ON gatehouse.%I TO gatehouse_jobs USING (true) WITH CHECK (true)', wanted);
  END LOOP;
END $$;
GRANT SELECT, INSERT, UPDATE ON gatehouse.attest_key TO gatehouse_app;
GRANT SELECT, INSERT ON gatehouse.attest_challenge TO gatehouse_app;
GRANT SELECT (ctid, tenant_id, account_id, created_at, last_used_at), DELETE ON gatehouse.attest_key TO gatehouse_jobs;
GRANT SELECT (ctid, tenant_id, expires_at), DELETE ON gatehouse.attest_challenge TO gatehouse_jobs;

-- The sweep: used challenges ten minutes after their time, as clocks of servers differ; keys that opened no session after a week,
-- and those that were not used for 400 days.
CREATE FUNCTION gatehouse.prune_attest(batch integer) RETURNS TABLE (kind text, pruned bigint) LANGUAGE plpgsql
  SET search_path = gatehouse, pg_temp AS $$
DECLARE moment timestamptz := gatehouse.now();
BEGIN
  kind := 'attest_challenges';
  DELETE FROM attest_challenge
  WHERE ctid = ANY (ARRAY(SELECT ctid FROM attest_challenge
    WHERE expires_at < moment - interval '10 minutes' LIMIT batch))
    AND expires_at < moment - interval '10 minutes';
  GET DIAGNOSTICS pruned = ROW_COUNT;
  RETURN NEXT;
  kind := 'attest_keys_unbound';
  DELETE FROM attest_key
  WHERE ctid = ANY (ARRAY(SELECT ctid FROM attest_key
    WHERE account_id IS NULL AND created_at < moment - interval '7 days' AND last_used_at < moment - interval '7 days'
    LIMIT batch))
    AND account_id IS NULL AND created_at < moment - interval '7 days' AND last_used_at < moment - interval '7 days';
  GET DIAGNOSTICS pruned = ROW_COUNT;
  RETURN NEXT;
  kind := 'attest_keys';
  DELETE FROM attest_key
  WHERE ctid = ANY (ARRAY(SELECT ctid FROM attest_key
    WHERE created_at < moment - interval '400 days' AND last_used_at < moment - interval '400 days' LIMIT batch))
    AND created_at < moment - interval '400 days' AND last_used_at < moment - interval '400 days';
  GET DIAGNOSTICS pruned = ROW_COUNT;
  RETURN NEXT;
END $$;
REVOKE ALL ON FUNCTION gatehouse.prune_attest(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION gatehouse.prune_attest(integer) TO gatehouse_jobs;

-- What m0004 taught the planner of the tables before, it has to know of these: a tenant counts as the whole table.
CREATE VIEW gatehouse.sample AS
  SELECT n, lpad(n::text, 40, '-') AS name, sha256(n::text::bytea) AS hash, now() AS moment,
    ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid AS id FROM generate_series(1, 200) AS n;

DO $$
DECLARE wanted text;
BEGIN
  FOREACH wanted IN ARRAY ARRAY['account', 'attest_key', 'attest_challenge'] LOOP
    EXECUTE format('ALTER TABLE gatehouse.%I ALTER COLUMN tenant_id SET (n_distinct = 1)', wanted);
    EXECUTE format('CREATE POLICY sample ON gatehouse.%I TO gatehouse_owner USING (true) WITH CHECK (true)', wanted);
  END LOOP;
END $$;

-- Disabled, or they could not be deleted.
INSERT INTO gatehouse.tenant (id, name, display_name, created_at, enabled)
  SELECT id, name, name, moment, false FROM gatehouse.sample;
INSERT INTO gatehouse.account (tenant_id, id, email, created_at, updated_at, entered_by)
  SELECT id, id, name, moment, moment, 'sign_up' FROM gatehouse.sample;
INSERT INTO gatehouse.attest_key (tenant_id, key_id, point, environment, counter, account_id, created_at, last_used_at)
  SELECT id, hash, hash || hash || '\x04', 'production', n, CASE WHEN n % 10 > 0 THEN id END, moment, moment
  FROM gatehouse.sample;
INSERT INTO gatehouse.attest_challenge (tenant_id, digest, expires_at)
  SELECT id, hash, moment + n * interval '1 second' FROM gatehouse.sample;

DO $$
DECLARE wanted text;
BEGIN
  FOREACH wanted IN ARRAY ARRAY['attest_key', 'attest_challenge'] LOOP
    EXECUTE format('ANALYZE gatehouse.%I', wanted);
    EXECUTE format('ALTER TABLE gatehouse.%I ALTER COLUMN tenant_id SET STATISTICS 0', wanted);
  END LOOP;
  DELETE FROM gatehouse.attest_challenge WHERE tenant_id IN (SELECT id FROM gatehouse.sample);
  DELETE FROM gatehouse.attest_key WHERE tenant_id IN (SELECT id FROM gatehouse.sample);
  DELETE FROM gatehouse.account WHERE tenant_id IN (SELECT id FROM gatehouse.sample);
  DELETE FROM gatehouse.tenant WHERE id IN (SELECT id FROM gatehouse.sample);
  FOREACH wanted IN ARRAY ARRAY['account', 'attest_key', 'attest_challenge'] LOOP
    EXECUTE format('DROP POLICY sample ON gatehouse.%I', wanted);
  END LOOP;
END $$;
DROP VIEW gatehouse.sample;

-- As at the end of m0013: tables without a tenant count as of unknown size.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM gatehouse.tenant) THEN
    EXECUTE (SELECT format('TRUNCATE %s', string_agg(DISTINCT format('gatehouse.%I', relname), ', '))
      FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
      WHERE relnamespace = 'gatehouse'::regnamespace AND relkind = 'r'
        AND (attname IN ('tenant_id', 'tenant') OR relname = 'tenant'));
  END IF;
END $$;
