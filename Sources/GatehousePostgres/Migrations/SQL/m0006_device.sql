-- Devices on which people have signed in, by the hash of an id that the device keeps. A forgotten one stays as a row without that
-- hash: it says that a person had devices before.
CREATE TABLE gatehouse.device (
  tenant_id uuid NOT NULL DEFAULT gatehouse.tenant(),
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  token_hash bytea CHECK (octet_length(token_hash) = 32),
  name text,
  created_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT device_account FOREIGN KEY (tenant_id, account_id)
    REFERENCES gatehouse.account (tenant_id, id) ON DELETE CASCADE
) WITH (fillfactor = 85);
CREATE UNIQUE INDEX device_token ON gatehouse.device (tenant_id, account_id, token_hash);
CREATE INDEX device_age ON gatehouse.device USING brin (created_at);
ALTER TABLE gatehouse.device ENABLE ROW LEVEL SECURITY;
ALTER TABLE gatehouse.device FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON gatehouse.device
  USING (tenant_id = (SELECT nullif(current_setting('app.tenant', true), '')::uuid))
  WITH CHECK (tenant_id = (SELECT nullif(current_setting('app.tenant', true), '')::uuid));
GRANT SELECT, INSERT, UPDATE, DELETE ON gatehouse.device TO gatehouse_app;

-- Which device a session was opened on. No foreign key: a session outlives the memory of its device, and both go with the account.
ALTER TABLE gatehouse.session ADD COLUMN device_id uuid;

-- The sweep of this table, as gatehouse.prune is that of the others: a device unused for 400 days is a new one.
GRANT SELECT (ctid, tenant_id, created_at, last_seen_at), DELETE ON gatehouse.device TO gatehouse_jobs;
CREATE POLICY jobs ON gatehouse.device TO gatehouse_jobs USING (true) WITH CHECK (true);
CREATE FUNCTION gatehouse.prune_devices(batch integer) RETURNS TABLE (kind text, pruned bigint) LANGUAGE plpgsql
  SET search_path = gatehouse, pg_temp AS $$
DECLARE moment timestamptz := gatehouse.now();
BEGIN
  kind := 'devices';
  DELETE FROM device
  WHERE ctid = ANY (ARRAY(SELECT ctid FROM device
    WHERE created_at < moment - interval '400 days' AND last_seen_at < moment - interval '400 days' LIMIT batch))
    AND created_at < moment - interval '400 days' AND last_seen_at < moment - interval '400 days';
  GET DIAGNOSTICS pruned = ROW_COUNT;
  RETURN NEXT;
END $$;
REVOKE ALL ON FUNCTION gatehouse.prune_devices(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION gatehouse.prune_devices(integer) TO gatehouse_jobs;
