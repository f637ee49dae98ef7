-- Endpoints of others that are told what happened, and the messages that wait for them. A message names a person by id only; what
-- else an endpoint is told is read when the message is sent.
CREATE TABLE gatehouse.webhook_endpoint (
  tenant_id uuid NOT NULL DEFAULT gatehouse.tenant()
    CONSTRAINT webhook_endpoint_tenant REFERENCES gatehouse.tenant (id) ON DELETE CASCADE,
  id uuid NOT NULL,
  url text NOT NULL,
  events text[] NOT NULL,
  fields text[] NOT NULL,
  sealed_secret bytea NOT NULL,
  sealed_previous bytea,
  previous_until timestamptz,
  created_at timestamptz NOT NULL,
  disabled_at timestamptz,
  disabled_reason text,
  failing_since timestamptz,
  last_success_at timestamptz,
  last_error text,
  PRIMARY KEY (tenant_id, id),
  CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL))
);

CREATE TABLE gatehouse.webhook_delivery (
  tenant_id uuid NOT NULL DEFAULT gatehouse.tenant(),
  -- That of the audit row of its cause: one message, however many endpoints.
  id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  event text NOT NULL,
  account_id uuid,
  revision integer,
  at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  due_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  delivered_at timestamptz,
  given_up_at timestamptz,
  last_error text,
  PRIMARY KEY (tenant_id, endpoint_id, id),
  CONSTRAINT webhook_delivery_endpoint FOREIGN KEY (tenant_id, endpoint_id)
    REFERENCES gatehouse.webhook_endpoint (tenant_id, id) ON DELETE CASCADE
) WITH (fillfactor = 85);
CREATE INDEX webhook_delivery_due ON gatehouse.webhook_delivery (tenant_id, endpoint_id, due_at)
  WHERE delivered_at IS NULL AND given_up_at IS NULL;
CREATE INDEX webhook_delivery_old ON gatehouse.webhook_delivery (expires_at)
  WHERE delivered_at IS NULL AND given_up_at IS NULL;
CREATE INDEX webhook_delivery_age ON gatehouse.webhook_delivery USING brin (created_at);

DO $$
DECLARE wanted text;
BEGIN
  FOREACH wanted IN ARRAY ARRAY['webhook_endpoint', 'webhook_delivery']
  LOOP
    EXECUTE format('ALTER TABLE gatehouse.%I ENABLE ROW LEVEL SECURITY', wanted);
    EXECUTE format('ALTER TABLE gatehouse.%I FORCE ROW LEVEL SECURITY', wanted);
    EXECUTE format($policy$
      CREATE POLICY tenant ON gatehouse.%I
        USING (tenant_id = (SELECT nullif(current_setting('app.tenant', true), '')::uuid))
        WITH CHECK (tenant_id = (SELECT nullif(current_setting('app.tenant', true), '')::uuid))
      $policy$, wanted);
  END LOOP;
END $$;
GRANT SELECT, INSERT, UPDATE, DELETE ON gatehouse.webhook_endpoint TO gatehouse_app;
GRANT SELECT, INSERT, UPDATE ON gatehouse.webhook_delivery TO gatehouse_app;

-- The worker takes what is due for all tenants.
GRANT SELECT ON gatehouse.webhook_endpoint TO gatehouse_jobs;
GRANT SELECT, UPDATE, DELETE ON gatehouse.webhook_delivery TO gatehouse_jobs;
CREATE POLICY jobs ON gatehouse.webhook_endpoint FOR SELECT TO gatehouse_jobs USING (true);
CREATE POLICY jobs ON gatehouse.webhook_delivery TO gatehouse_jobs USING (true) WITH CHECK (true);

-- The sweep of this table, as gatehouse.prune is that of the others.
CREATE FUNCTION gatehouse.prune_webhooks(batch integer) RETURNS TABLE (kind text, pruned bigint) LANGUAGE plpgsql
  SET search_path = gatehouse, pg_temp AS $$
DECLARE moment timestamptz := gatehouse.now();
BEGIN
  kind := 'webhooks';
  DELETE FROM webhook_delivery
  WHERE ctid = ANY (ARRAY(SELECT ctid FROM webhook_delivery
    WHERE created_at < moment - interval '7 days'
    AND coalesce(delivered_at, given_up_at) < moment - interval '7 days' LIMIT batch))
    AND created_at < moment - interval '7 days'
    AND coalesce(delivered_at, given_up_at) < moment - interval '7 days';
  GET DIAGNOSTICS pruned = ROW_COUNT;
  RETURN NEXT;
END $$;
REVOKE ALL ON FUNCTION gatehouse.prune_webhooks(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION gatehouse.prune_webhooks(integer) TO gatehouse_jobs;
