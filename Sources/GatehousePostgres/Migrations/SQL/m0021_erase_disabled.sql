-- A tenant is erased only while it is disabled, whichever connection asks. Its row stays locked, so that it is not enabled meanwhile.
CREATE OR REPLACE FUNCTION gatehouse.erase_tenant() RETURNS void LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = gatehouse, pg_temp AS $$
DECLARE walled text;
BEGIN
  PERFORM FROM tenant WHERE id = gatehouse.tenant() AND NOT enabled FOR UPDATE;
  PERFORM require(FOUND, 'tenant_is_disabled');
  -- First the accounts, with what goes with them.
  DELETE FROM account;
  FOR walled IN
    SELECT relname FROM pg_class WHERE relnamespace = 'gatehouse'::regnamespace AND relkind IN ('r', 'p')
      -- Only there is "all rows" those of the tenant that is set.
      AND relrowsecurity AND relforcerowsecurity
      AND EXISTS (SELECT FROM pg_attribute WHERE attrelid = pg_class.oid AND attname = 'tenant_id' AND NOT attisdropped)
    ORDER BY 1
  LOOP
    EXECUTE format('DELETE FROM %I', walled);
  END LOOP;
END $$;

-- The server's role may delete rows of this table: it deletes none of a living tenant.
CREATE FUNCTION gatehouse.keep_enabled_tenant() RETURNS trigger LANGUAGE plpgsql SET search_path = gatehouse, pg_temp AS $$
BEGIN
  PERFORM require(NOT OLD.enabled, 'tenant_is_disabled');
  RETURN OLD;
END $$;
CREATE TRIGGER keep_enabled_tenant BEFORE DELETE ON gatehouse.tenant
  FOR EACH ROW EXECUTE FUNCTION gatehouse.keep_enabled_tenant();
