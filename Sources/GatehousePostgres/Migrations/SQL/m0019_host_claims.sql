-- A host is claimed before it is had: claims are a tenant's own, several tenants may claim one name, and the first that is verified
-- has it until it is removed.
ALTER TABLE gatehouse.tenant_host DROP CONSTRAINT tenant_host_pkey;
ALTER TABLE gatehouse.tenant_host ADD CONSTRAINT tenant_host_pkey PRIMARY KEY (tenant, host);
DROP INDEX gatehouse.tenant_host_of_tenant;
CREATE UNIQUE INDEX tenant_host_verified ON gatehouse.tenant_host (host) WHERE verified_at IS NOT NULL;

-- When an operator of all tenants, or the name's DNS, allowed the claim; NULL: it waits. Who made the claims of before is not known
-- here, so those that are not verified wait.
ALTER TABLE gatehouse.tenant_host ADD COLUMN allowed_at timestamptz;
UPDATE gatehouse.tenant_host SET allowed_at = verified_at WHERE verified_at IS NOT NULL;
-- When a claim goes that is not verified by then. The default is for earlier servers that run on beside this one.
ALTER TABLE gatehouse.tenant_host ADD COLUMN expires_at timestamptz NOT NULL DEFAULT gatehouse.now() + interval '7 days';
GRANT UPDATE (allowed_at) ON gatehouse.tenant_host TO gatehouse_app;
GRANT DELETE ON gatehouse.tenant_host TO gatehouse_jobs;

-- One round of the sweep, at most `batch` claims; servers hear of the tenants that lost one.
CREATE FUNCTION gatehouse.prune_host_claims(batch integer) RETURNS TABLE (kind text, pruned bigint) LANGUAGE plpgsql
  SET search_path = gatehouse, pg_temp AS $$
DECLARE moment timestamptz := gatehouse.now();
DECLARE loser uuid;
BEGIN
  kind := 'host_claims';
  pruned := 0;
  FOR loser IN
    DELETE FROM tenant_host
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM tenant_host
      WHERE verified_at IS NULL AND expires_at <= moment LIMIT batch))
      AND verified_at IS NULL AND expires_at <= moment
    RETURNING tenant
  LOOP
    pruned := pruned + 1;
    PERFORM pg_notify('gatehouse_tenant', name) FROM tenant WHERE id = loser;
  END LOOP;
  RETURN NEXT;
END $$;
REVOKE ALL ON FUNCTION gatehouse.prune_host_claims(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION gatehouse.prune_host_claims(integer) TO gatehouse_jobs;
