-- What m0004 taught the planner of the tables before, it has to know of those that came since: a tenant counts as the whole table.
CREATE VIEW gatehouse.sample AS
  SELECT n, lpad(n::text, 40, '-') AS name, sha256(n::text::bytea) AS hash, now() AS moment,
    ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid AS id FROM generate_series(1, 200) AS n;

DO $$
DECLARE wanted text;
BEGIN
  FOREACH wanted IN ARRAY ARRAY['account', 'idempotency_key', 'device', 'webhook_endpoint', 'webhook_delivery'] LOOP
    EXECUTE format('ALTER TABLE gatehouse.%I ALTER COLUMN tenant_id SET (n_distinct = 1)', wanted);
    EXECUTE format('CREATE POLICY sample ON gatehouse.%I TO gatehouse_owner USING (true) WITH CHECK (true)', wanted);
  END LOOP;
END $$;

INSERT INTO gatehouse.tenant (id, name, display_name, created_at) SELECT id, name, name, moment FROM gatehouse.sample;
INSERT INTO gatehouse.account (tenant_id, id, email, created_at, updated_at, entered_by)
  SELECT id, id, name, moment, moment, 'sign_up' FROM gatehouse.sample;
INSERT INTO gatehouse.idempotency_key (tenant_id, key, body, claim, claimed_until, expires_at)
  SELECT id, hash, hash, id, moment, moment FROM gatehouse.sample;
INSERT INTO gatehouse.device (tenant_id, id, account_id, token_hash, created_at, last_seen_at)
  SELECT id, id, id, hash, moment, moment FROM gatehouse.sample;
INSERT INTO gatehouse.webhook_endpoint (tenant_id, id, url, events, fields, sealed_secret, created_at)
  SELECT id, id, name, '{}', '{}', hash, moment FROM gatehouse.sample;
INSERT INTO gatehouse.webhook_delivery (tenant_id, id, endpoint_id, event, at, created_at, due_at, expires_at)
  SELECT id, id, id, name, moment, moment, moment, moment FROM gatehouse.sample;

DO $$
DECLARE wanted text;
BEGIN
  FOREACH wanted IN ARRAY ARRAY['idempotency_key', 'device', 'webhook_endpoint', 'webhook_delivery'] LOOP
    EXECUTE format('ANALYZE gatehouse.%I', wanted);
    EXECUTE format('ALTER TABLE gatehouse.%I ALTER COLUMN tenant_id SET STATISTICS 0', wanted);
  END LOOP;
  -- The others go with these.
  DELETE FROM gatehouse.account WHERE tenant_id IN (SELECT id FROM gatehouse.sample);
  DELETE FROM gatehouse.tenant WHERE id IN (SELECT id FROM gatehouse.sample);
  FOREACH wanted IN ARRAY ARRAY['account', 'idempotency_key', 'device', 'webhook_endpoint', 'webhook_delivery'] LOOP
    EXECUTE format('DROP POLICY sample ON gatehouse.%I', wanted);
  END LOOP;
END $$;
DROP VIEW gatehouse.sample;
