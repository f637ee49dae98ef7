-- ID tokens that were taken at a provider with `nonce: optional`. Without a nonce a token is taken once, here and by every other server;
-- the row says nothing of whose it is.
CREATE TABLE gatehouse.id_token_use (
  tenant_id uuid NOT NULL DEFAULT gatehouse.tenant(),
  -- SHA-256 of what the provider signed.
  hash bytea NOT NULL CHECK (octet_length(hash) = 32),
  -- Taken without a nonce: no other use stands beside it.
  single boolean NOT NULL,
  -- When the token is taken no more.
  expires_at timestamptz NOT NULL,
  CONSTRAINT id_token_use_pkey PRIMARY KEY (tenant_id, hash)
);
CREATE INDEX id_token_use_expiry ON gatehouse.id_token_use (expires_at);
ALTER TABLE gatehouse.id_token_use ENABLE ROW LEVEL SECURITY;
ALTER TABLE gatehouse.id_token_use FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON gatehouse.id_token_use
  USING (tenant_id = (SELECT nullif(current_setting('app.tenant', true), '')::uuid))
  WITH CHECK (tenant_id = (SELECT nullif(current_setting('app.tenant', true), '')::uuid));
GRANT SELECT, INSERT, UPDATE, DELETE ON gatehouse.id_token_use TO gatehouse_app;

-- The sweep, as gatehouse.prune is that of the others. The clocks of servers may differ from the database's by some minutes.
GRANT SELECT (ctid, tenant_id, expires_at), DELETE ON gatehouse.id_token_use TO gatehouse_jobs;
CREATE POLICY jobs ON gatehouse.id_token_use TO gatehouse_jobs USING (true) WITH CHECK (true);
CREATE FUNCTION gatehouse.prune_id_token_uses(batch integer) RETURNS TABLE (kind text, pruned bigint) LANGUAGE plpgsql
  SET search_path = gatehouse, pg_temp AS $$
DECLARE moment timestamptz := gatehouse.now() - interval '10 minutes';
BEGIN
  kind := 'id_token_uses';
  DELETE FROM id_token_use
  WHERE ctid = ANY (ARRAY(SELECT ctid FROM id_token_use WHERE expires_at <= moment LIMIT batch))
    AND expires_at <= moment;
  GET DIAGNOSTICS pruned = ROW_COUNT;
  RETURN NEXT;
END $$;
REVOKE ALL ON FUNCTION gatehouse.prune_id_token_uses(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION gatehouse.prune_id_token_uses(integer) TO gatehouse_jobs;

-- What m0004 taught the planner of the tables before, it has to know of this one: a tenant counts as the whole table.
CREATE VIEW gatehouse.sample AS
  SELECT n, sha256(n::text::bytea) AS hash, now() AS moment,
    ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid AS id FROM generate_series(1, 200) AS n;
ALTER TABLE gatehouse.id_token_use ALTER COLUMN tenant_id SET (n_distinct = 1);
CREATE POLICY sample ON gatehouse.id_token_use TO gatehouse_owner USING (true) WITH CHECK (true);
INSERT INTO gatehouse.id_token_use (tenant_id, hash, single, expires_at)
  SELECT id, hash, n % 2 = 0, moment + n * interval '1 second' FROM gatehouse.sample;
ANALYZE gatehouse.id_token_use;
ALTER TABLE gatehouse.id_token_use ALTER COLUMN tenant_id SET STATISTICS 0;
DELETE FROM gatehouse.id_token_use WHERE tenant_id IN (SELECT id FROM gatehouse.sample);
DROP POLICY sample ON gatehouse.id_token_use;
DROP VIEW gatehouse.sample;
-- As in m0013: a table whose rows are gone would be noted as empty, a truncated one is of unknown size.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM gatehouse.tenant) THEN TRUNCATE gatehouse.id_token_use; END IF;
END $$;
