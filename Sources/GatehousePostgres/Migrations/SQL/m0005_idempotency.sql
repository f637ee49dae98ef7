-- Idempotency-Key: who works on a request, and the answer it was given, written in the transaction of its effect.
CREATE TABLE gatehouse.idempotency_key (
  tenant_id uuid NOT NULL DEFAULT gatehouse.tenant()
    CONSTRAINT idempotency_key_tenant REFERENCES gatehouse.tenant (id) ON DELETE CASCADE,
  -- HMACs: of operation, caller and key, and of the body. Both could be tried out by whoever has a copy of the database.
  key bytea NOT NULL CHECK (octet_length(key) = 32),
  body bytea NOT NULL CHECK (octet_length(body) = 32),
  claim uuid NOT NULL,
  claimed_until timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  account_id uuid,
  sealed_answer bytea,
  PRIMARY KEY (tenant_id, key),
  CONSTRAINT idempotency_key_account FOREIGN KEY (tenant_id, account_id)
    REFERENCES gatehouse.account (tenant_id, id) ON DELETE CASCADE
) WITH (fillfactor = 85);
CREATE INDEX idempotency_key_of_account ON gatehouse.idempotency_key (tenant_id, account_id)
  WHERE account_id IS NOT NULL;
CREATE INDEX idempotency_key_expiry ON gatehouse.idempotency_key (expires_at);
ALTER TABLE gatehouse.idempotency_key ENABLE ROW LEVEL SECURITY;
ALTER TABLE gatehouse.idempotency_key FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON gatehouse.idempotency_key
  USING (tenant_id = (SELECT nullif(current_setting('app.tenant', true), '')::uuid))
  WITH CHECK (tenant_id = (SELECT nullif(current_setting('app.tenant', true), '')::uuid));
GRANT SELECT, INSERT, UPDATE, DELETE ON gatehouse.idempotency_key TO gatehouse_app;

-- The sweep of this table, as gatehouse.prune is that of the others.
GRANT SELECT (ctid, tenant_id, expires_at), DELETE ON gatehouse.idempotency_key TO gatehouse_jobs;
CREATE POLICY jobs ON gatehouse.idempotency_key TO gatehouse_jobs USING (true) WITH CHECK (true);
CREATE FUNCTION gatehouse.prune_idempotency(batch integer) RETURNS TABLE (kind text, pruned bigint) LANGUAGE plpgsql
  SET search_path = gatehouse, pg_temp AS $$
DECLARE moment timestamptz := gatehouse.now();
BEGIN
  kind := 'idempotency_keys';
  DELETE FROM idempotency_key
  WHERE ctid = ANY (ARRAY(SELECT ctid FROM idempotency_key WHERE expires_at <= moment LIMIT batch))
    AND expires_at <= moment;
  GET DIAGNOSTICS pruned = ROW_COUNT;
  RETURN NEXT;
END $$;
REVOKE ALL ON FUNCTION gatehouse.prune_idempotency(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION gatehouse.prune_idempotency(integer) TO gatehouse_jobs;
