-- The audit log of the installation: rows that belong to no tenant, or end one. They lie beside those of the tenants, under an id that no
-- tenant has, and are chained as theirs are. The server's role adds rows, and changes and deletes none.
CREATE FUNCTION gatehouse.installation() RETURNS uuid LANGUAGE sql IMMUTABLE AS
  $$ SELECT '00000000-0000-0000-0000-000000000000'::uuid $$;

-- A tenant can be erased with its log. The server's role may add tenants, but never this one.
ALTER TABLE gatehouse.tenant ADD CONSTRAINT tenant_is_not_installation
  CHECK (id <> '00000000-0000-0000-0000-000000000000'::uuid);

-- Each migration from this one on is a row of the log.
CREATE FUNCTION gatehouse.record_migration() RETURNS trigger LANGUAGE plpgsql SET search_path = gatehouse, pg_temp AS $$
DECLARE before text := current_setting('app.tenant', true);
BEGIN
  PERFORM set_config('app.tenant', installation()::text, true);
  INSERT INTO audit (id, at, event, actor, details)
  VALUES (make_id(), gatehouse.now(), 'database_migrated',
    coalesce(nullif(current_setting('app.actor', true), ''), 'system:migrate'),
    jsonb_build_object('number', NEW.number::text, 'name', NEW.name));
  PERFORM set_config('app.tenant', coalesce(before, ''), true);
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION gatehouse.record_migration() FROM PUBLIC;
CREATE TRIGGER record_migration AFTER INSERT ON gatehouse.migration
  FOR EACH ROW EXECUTE FUNCTION gatehouse.record_migration();

-- As in m0022, but for the name that the bearer states: it stands behind the maker's, and marked.
CREATE OR REPLACE FUNCTION gatehouse.make_admin_token(asking bytea, new_id uuid, new_name text, new_hash bytea, new_scopes text[],
    new_tenants uuid[], new_created_at timestamptz, new_created_by text, new_expires_at timestamptz)
  RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = gatehouse, pg_temp AS $$
DECLARE
  maker admin_token := asking_admin_token(asking, new_scopes, new_tenants);
  is_stated boolean := starts_with(new_created_by, maker.name || ' (as ') AND right(new_created_by, 9) = ', stated)'
    AND octet_length(new_created_by) <= 200 AND new_created_by !~ '[[:cntrl:]]';
BEGIN
  INSERT INTO admin_token (id, name, hash, scopes, tenants, created_at, created_by, expires_at, made_by)
  VALUES (new_id, new_name, new_hash, new_scopes, new_tenants, new_created_at,
    CASE WHEN is_stated THEN new_created_by ELSE coalesce(maker.name, new_created_by) END,
    least(new_expires_at, maker.expires_at), maker.id);
END $$;

-- "What did this operator do?": acts of operators are few among those of users.
CREATE INDEX audit_operator ON gatehouse.audit (tenant_id, id DESC) WHERE actor LIKE 'operator:%';
