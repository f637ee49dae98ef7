-- What migrations said of every table anew, said once. The first two functions are for migrations: only the schema's owner may call
-- them.

-- Keeps a table's tenants apart: it has a column tenant_id, and every statement sees the rows of the tenant that is set. A tenant counts
-- as the whole table (see m0004), from the first analysis on.
CREATE FUNCTION gatehouse.protect_tenant_table(wanted text) RETURNS void LANGUAGE plpgsql
  SET search_path = gatehouse, pg_temp AS $$
BEGIN
  EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', wanted);
  EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', wanted);
  EXECUTE format($policy$
    CREATE POLICY tenant ON %I
      USING (tenant_id = (SELECT nullif(current_setting('app.tenant', true), '')::uuid))
      WITH CHECK (tenant_id = (SELECT nullif(current_setting('app.tenant', true), '')::uuid))
    $policy$, wanted);
  EXECUTE format('ALTER TABLE %I ALTER COLUMN tenant_id SET (n_distinct = 1)', wanted);
END $$;
REVOKE ALL ON FUNCTION gatehouse.protect_tenant_table(text) FROM PUBLIC;

-- Teaches the planner of protected tables before they have rows (see m0004). A sample is a table and the rest of an INSERT into it, which
-- reads 200 rows of `sample`: n, name, hash, moment and id, each for the tenant `id`, which has an account `id`. Tables come behind
-- those that they refer to:
--
--   SELECT gatehouse.teach_statistics(ARRAY[['note', '(tenant_id, account_id, text) SELECT id, id, name FROM sample']]);
CREATE FUNCTION gatehouse.teach_statistics(samples text[]) RETURNS void LANGUAGE plpgsql
  SET search_path = gatehouse, pg_temp AS $$
DECLARE
  source CONSTANT text := $sample$
    SELECT n, lpad(n::text, 40, '-') AS name, sha256(n::text::bytea) AS hash, now() AS moment,
      ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid AS id FROM generate_series(1, 200) AS n
    $sample$;
  tables CONSTANT text[] := ARRAY(SELECT samples[i][1] FROM generate_subscripts(samples, 1) AS i ORDER BY i);
  wanted text;
BEGIN
  FOREACH wanted IN ARRAY ARRAY['account'] || tables LOOP
    EXECUTE format('CREATE POLICY sample ON %I TO gatehouse_owner USING (true) WITH CHECK (true)', wanted);
  END LOOP;
  -- Disabled, or they could not be deleted.
  EXECUTE format('WITH sample AS (%s) INSERT INTO tenant (id, name, display_name, created_at, enabled)
    SELECT id, name, name, moment, false FROM sample', source);
  EXECUTE format('WITH sample AS (%s) INSERT INTO account (tenant_id, id, email, created_at, updated_at, entered_by)
    SELECT id, id, name, moment, moment, ''sign_up'' FROM sample', source);
  FOR i IN 1..cardinality(tables) LOOP
    EXECUTE format('WITH sample AS (%s) INSERT INTO %I %s', source, tables[i], samples[i][2]);
  END LOOP;
  FOREACH wanted IN ARRAY tables LOOP
    EXECUTE format('ANALYZE %I', wanted);
    EXECUTE format('ALTER TABLE %I ALTER COLUMN tenant_id SET STATISTICS 0', wanted);
  END LOOP;
  FOR i IN REVERSE cardinality(tables)..1 LOOP
    EXECUTE format('WITH sample AS (%s) DELETE FROM %I WHERE tenant_id IN (SELECT id FROM sample)', source, tables[i]);
  END LOOP;
  EXECUTE format('WITH sample AS (%s) DELETE FROM account WHERE tenant_id IN (SELECT id FROM sample)', source);
  EXECUTE format('WITH sample AS (%s) DELETE FROM tenant WHERE id IN (SELECT id FROM sample)', source);
  FOREACH wanted IN ARRAY ARRAY['account'] || tables LOOP
    EXECUTE format('DROP POLICY sample ON %I', wanted);
  END LOOP;
  -- As at the end of m0013: tables without a tenant count as of unknown size.
  IF NOT EXISTS (SELECT FROM tenant) THEN
    EXECUTE (SELECT format('TRUNCATE %s', string_agg(DISTINCT format('%I', relname), ', '))
      FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
      WHERE relnamespace = 'gatehouse'::regnamespace AND relkind = 'r'
        AND (attname IN ('tenant_id', 'tenant') OR relname = 'tenant'));
  END IF;
END $$;
REVOKE ALL ON FUNCTION gatehouse.teach_statistics(text[]) FROM PUBLIC;

-- What the sweep takes, in this order: rows of a relation that have no use any more go, or lose what they sealed.
CREATE TABLE gatehouse.prunable (
  place integer PRIMARY KEY,
  -- What the sweep's answer calls them.
  kind text NOT NULL UNIQUE,
  relation text NOT NULL,
  -- The column that is emptied; NULL: the row goes.
  clears text,
  -- Which rows are due: a condition on the relation's columns and the moment, $1. It is judged again when a row changed meanwhile.
  due text NOT NULL,
  -- What is judged again instead, where that has less to say: what may change and no more, so that the rows are fetched by their place and a
  -- long backlog is not walked anew for each batch.
  still text,
  -- What is told of each row that goes: an expression on its columns.
  tells text
);
GRANT SELECT ON gatehouse.prunable TO gatehouse_jobs;

INSERT INTO gatehouse.prunable (place, kind, relation, clears, due, still, tells) VALUES
  -- No policy allows a grace of more than 30 seconds. What was exchanged under a key waits for its successor's exchange.
  (10, 'successors', 'refresh_token', 'sealed_successor',
    'sealed_successor IS NOT NULL AND retry_digest IS NULL AND spent_at < $1 - interval ''1 minute''',
    'retry_digest IS NULL AND spent_at IS NOT NULL', NULL),
  (20, 'payloads', 'one_time_code', 'sealed_payload',
    'sealed_payload IS NOT NULL AND greatest(token_expires_at, code_expires_at) <= $1', NULL, NULL),
  -- A code is known for a day after its end, so that it answers "expired" or "used" rather than "unknown".
  (30, 'codes', 'one_time_code', NULL,
    'created_at < $1 - interval ''1 day'' AND greatest(token_expires_at, code_expires_at) < $1 - interval ''1 day''',
    NULL, NULL),
  -- Its refresh tokens go with a session: until then their replay is recognised.
  (40, 'sessions', 'session', NULL,
    'created_at < $1 - interval ''30 days''
      AND least(ended_at, expires_at, idle_expires_at) < $1 - interval ''30 days''', NULL, NULL),
  -- Of sessions that live for years: a token whose successor was exchanged as well is, so long after, as good as any unknown one. A
  -- token whose successor is unspent stays with its session.
  (50, 'refresh_tokens', 'refresh_token', NULL, 'superseded AND spent_at < $1 - interval ''30 days''', 'superseded', NULL),
  (60, 'limit_counters', 'limit_counter', NULL, 'window_end <= $1', NULL, NULL),
  -- A disabled password stays disabled; a few failures are forgotten after a quarter without any attempt.
  (70, 'sign_in_guards', 'sign_in_guard', NULL, 'failures < 100 AND updated_at < $1 - interval ''90 days''', NULL, NULL),
  (80, 'mails', 'outbox', NULL,
    'created_at < $1 - interval ''7 days'' AND coalesce(delivered_at, given_up_at) < $1 - interval ''7 days''', NULL, NULL),
  (90, 'idempotency_keys', 'idempotency_key', NULL, 'expires_at <= $1', NULL, NULL),
  -- A device that was not used for 400 days is a new one.
  (100, 'devices', 'device', NULL,
    'created_at < $1 - interval ''400 days'' AND last_seen_at < $1 - interval ''400 days''', NULL, NULL),
  (110, 'webhooks', 'webhook_delivery', NULL,
    'created_at < $1 - interval ''7 days'' AND coalesce(delivered_at, given_up_at) < $1 - interval ''7 days''', NULL, NULL),
  (120, 'provider_flows', 'provider_flow', NULL, 'expires_at <= $1', NULL, NULL),
  -- Servers hear of the tenants that lost a claim.
  (130, 'host_claims', 'tenant_host', NULL, 'verified_at IS NULL AND expires_at <= $1', NULL,
    '(SELECT pg_notify(''gatehouse_tenant'', name) FROM tenant WHERE id = tenant_host.tenant)'),
  -- Used challenges ten minutes after their time, as clocks of servers differ; keys that opened no session after a week, and those that
  -- were not used for 400 days.
  (140, 'attest_challenges', 'attest_challenge', NULL, 'expires_at < $1 - interval ''10 minutes''', NULL, NULL),
  (150, 'attest_keys_unbound', 'attest_key', NULL,
    'account_id IS NULL AND created_at < $1 - interval ''7 days'' AND last_used_at < $1 - interval ''7 days''', NULL, NULL),
  (160, 'attest_keys', 'attest_key', NULL,
    'created_at < $1 - interval ''400 days'' AND last_used_at < $1 - interval ''400 days''', NULL, NULL),
  -- The clocks of servers may differ from the database's by some minutes.
  (170, 'id_token_uses', 'id_token_use', NULL, 'expires_at <= $1 - interval ''10 minutes''', NULL, NULL);

-- One round of the sweep, at most `batch` rows of each kind; says how many of each.
CREATE OR REPLACE FUNCTION gatehouse.prune(batch integer) RETURNS TABLE (kind text, pruned bigint) LANGUAGE plpgsql
  SET search_path = gatehouse, pg_temp AS $$
DECLARE
  moment timestamptz := gatehouse.now();
  wanted record;
BEGIN
  FOR wanted IN SELECT * FROM prunable ORDER BY place LOOP
    kind := wanted.kind;
    EXECUTE format('%s WHERE ctid = ANY (ARRAY(SELECT ctid FROM %I WHERE (%s) LIMIT $2)) AND (%s)%s',
      CASE WHEN wanted.clears IS NULL THEN format('DELETE FROM %I', wanted.relation)
        ELSE format('UPDATE %I SET %I = NULL', wanted.relation, wanted.clears) END,
      wanted.relation, wanted.due, coalesce(wanted.still, wanted.due), ' RETURNING ' || wanted.tells)
      USING moment, batch;
    GET DIAGNOSTICS pruned = ROW_COUNT;
    RETURN NEXT;
  END LOOP;
END $$;

-- Servers of the version before call these as well, behind gatehouse.prune, which left them nothing to do.
DO $$
DECLARE former text;
BEGIN
  FOREACH former IN ARRAY ARRAY['prune_idempotency', 'prune_devices', 'prune_webhooks', 'prune_provider_flows',
    'prune_host_claims', 'prune_attest', 'prune_id_token_uses']
  LOOP
    EXECUTE format($former$
      CREATE OR REPLACE FUNCTION gatehouse.%I(batch integer) RETURNS TABLE (kind text, pruned bigint) LANGUAGE sql
      AS 'SELECT NULL::text, NULL::bigint WHERE false'
      $former$, former);
  END LOOP;
END $$;
