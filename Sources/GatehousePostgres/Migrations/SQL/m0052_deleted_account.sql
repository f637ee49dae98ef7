-- As in m0032, but what is stored for the installation and for no tenant stays: a database without a tenant has a log already.
CREATE OR REPLACE FUNCTION gatehouse.teach_statistics(samples text[]) RETURNS void LANGUAGE plpgsql
  SET search_path = gatehouse, pg_temp AS $$
DECLARE
  source CONSTANT text := $sample$
    SELECT n, lpad(n::text, 40, '-') AS name, sha256(n::text::bytea) AS hash, now() AS moment,
      ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid AS id FROM generate_series(1, 200) AS n
    $sample$;
  tables CONSTANT text[] := ARRAY(SELECT samples[i][1] FROM generate_subscripts(samples, 1) AS i ORDER BY i);
  wanted text;
  without_rows text[] := '{}';
  is_held boolean;
  before CONSTANT text := coalesce(current_setting('app.tenant', true), '');
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
  -- As at the end of m0013: tables without a tenant count as of unknown size. What belongs to the installation stays.
  IF NOT EXISTS (SELECT FROM tenant) THEN
    PERFORM set_config('app.tenant', installation()::text, true);
    FOR wanted IN SELECT DISTINCT relname FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
      WHERE relnamespace = 'gatehouse'::regnamespace AND relkind = 'r'
        AND (attname IN ('tenant_id', 'tenant') OR relname = 'tenant')
    LOOP
      EXECUTE format('SELECT EXISTS (SELECT FROM %I)', wanted) INTO is_held;
      IF NOT is_held THEN without_rows := without_rows || wanted; END IF;
    END LOOP;
    PERFORM set_config('app.tenant', before, true);
    EXECUTE (SELECT format('TRUNCATE %s', string_agg(format('%I', name), ', ')) FROM unnest(without_rows) AS name);
  END IF;
END $$;

-- Accounts that were deleted and can be brought back until a moment. No statement about accounts sees them. Sessions, tokens, grants, codes
-- and mails went with the deletion. The rows that make the account again are kept, as JSON by table. They reserve nothing: address, unique
-- values and identities are free meanwhile, so that two of these rows may have one address.
CREATE TABLE gatehouse.deleted_account (
  tenant_id uuid NOT NULL DEFAULT gatehouse.tenant(),
  id uuid NOT NULL,
  email text COLLATE "C",
  deleted_at timestamptz NOT NULL,
  erase_at timestamptz NOT NULL,
  kept jsonb NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX deleted_account_email ON gatehouse.deleted_account (tenant_id, email) WHERE email IS NOT NULL;
CREATE INDEX deleted_account_age ON gatehouse.deleted_account (tenant_id, deleted_at);
CREATE INDEX deleted_account_due ON gatehouse.deleted_account (tenant_id, erase_at);
SELECT gatehouse.protect_tenant_table('deleted_account');
SELECT gatehouse.teach_statistics(ARRAY[['deleted_account',
  '(tenant_id, id, email, deleted_at, erase_at, kept) SELECT id, id, name, moment, moment, ''{}'' FROM sample']]);
-- The rows come and go by the functions alone, and no statement of the server's role reads what is kept.
GRANT SELECT (tenant_id, id, email, deleted_at, erase_at) ON gatehouse.deleted_account TO gatehouse_app;

-- The tables whose rows make an account again, in the order in which they are written, and the column that names the account.
CREATE FUNCTION gatehouse.kept_tables() RETURNS TABLE (place bigint, relation text, key text) LANGUAGE sql IMMUTABLE
  SET search_path = gatehouse, pg_temp AS $$
  SELECT ordinality, name, CASE name WHEN 'account' THEN 'id' ELSE 'account_id' END
  FROM unnest(ARRAY['account', 'credential', 'password_history', 'password_compliance', 'unique_value', 'provider_identity'])
    WITH ORDINALITY AS kept (name, ordinality)
$$;

-- Deletes an account as ever, and keeps the rows that bring it back.
CREATE FUNCTION gatehouse.set_account_aside(person uuid, until timestamptz) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = gatehouse, pg_temp AS $$
DECLARE
  copies jsonb := '{}';
  part jsonb;
  found_in record;
BEGIN
  -- Locks in the order of erase_account.
  INSERT INTO audit_head (version) VALUES (0) ON CONFLICT DO NOTHING;
  PERFORM FROM audit_head FOR UPDATE;
  PERFORM FROM account WHERE id = person FOR UPDATE;
  PERFORM require(FOUND, 'account_exists');
  FOR found_in IN SELECT relation, key FROM kept_tables() ORDER BY place LOOP
    EXECUTE format('SELECT jsonb_agg(to_jsonb(kept)) FROM %I AS kept WHERE %I = $1', found_in.relation, found_in.key)
      INTO part USING person;
    IF part IS NOT NULL THEN copies := copies || jsonb_build_object(found_in.relation, part); END IF;
  END LOOP;
  -- The tokens of these identities are revoked with the deletion: they have to be linked again.
  IF copies ? 'provider_identity' THEN
    SELECT jsonb_agg(CASE WHEN EXISTS (
        SELECT FROM provider_grant WHERE account_id = person AND provider = identity ->> 'provider')
      THEN identity || '{"state": "broken"}' ELSE identity END) INTO part
    FROM jsonb_array_elements(copies -> 'provider_identity') AS identity;
    copies := copies || jsonb_build_object('provider_identity', part);
  END IF;
  INSERT INTO deleted_account (id, email, deleted_at, erase_at, kept)
    SELECT id, email, gatehouse.now(), until, copies FROM account WHERE id = person;
  PERFORM erase_account(person);
END $$;
REVOKE ALL ON FUNCTION gatehouse.set_account_aside(uuid, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION gatehouse.set_account_aside(uuid, timestamptz) TO gatehouse_app;

-- Erases the rows that were kept of a deleted account.
CREATE FUNCTION gatehouse.erase_deleted_account(person uuid) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = gatehouse, pg_temp AS $$
BEGIN
  DELETE FROM deleted_account WHERE id = person;
  PERFORM require(FOUND, 'account_exists');
END $$;
REVOKE ALL ON FUNCTION gatehouse.erase_deleted_account(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION gatehouse.erase_deleted_account(uuid) TO gatehouse_app;

-- Brings a deleted account back as it was, signed in nowhere, if it was deleted since a moment. Once its time is over it is gone, also before
-- the job comes to it. A column that is newer than the deletion gets its default. A value that another account took meanwhile ends the
-- transaction, and the account stays deleted and kept.
CREATE FUNCTION gatehouse.bring_account_back(person uuid, since timestamptz) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = gatehouse, pg_temp AS $$
DECLARE
  rows_of jsonb;
  taken text;
  found_in record;
BEGIN
  DELETE FROM deleted_account WHERE id = person AND erase_at > gatehouse.now() AND deleted_at > since RETURNING kept INTO rows_of;
  PERFORM require(FOUND, 'account_exists');
  FOR found_in IN
    SELECT place, relation, string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns
    FROM kept_tables() JOIN pg_attribute ON attrelid = format('gatehouse.%I', relation)::regclass
      AND attnum > 0 AND NOT attisdropped AND rows_of -> relation -> 0 ? attname
    GROUP BY place, relation ORDER BY place
  LOOP
    EXECUTE format('INSERT INTO %1$I (%2$s) SELECT %2$s FROM jsonb_populate_recordset(NULL::%1$I, $1) %3$s', found_in.relation,
      found_in.columns, CASE found_in.relation WHEN 'unique_value' THEN 'ON CONFLICT DO NOTHING' ELSE '' END)
      USING rows_of -> found_in.relation;
  END LOOP;
  SELECT value ->> 'field' INTO taken FROM jsonb_array_elements(coalesce(rows_of -> 'unique_value', '[]')) AS kept (value)
    WHERE NOT EXISTS (SELECT FROM unique_value
      WHERE field = value ->> 'field' AND key = value ->> 'key' AND account_id = person)
    ORDER BY 1 LIMIT 1;
  PERFORM require(taken IS NULL, 'field_taken:' || taken);
  -- An earlier token speaks of another state of the account.
  UPDATE account SET epoch = epoch + 1, is_online = false, updated_at = gatehouse.now() WHERE id = person;
END $$;
REVOKE ALL ON FUNCTION gatehouse.bring_account_back(uuid, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION gatehouse.bring_account_back(uuid, timestamptz) TO gatehouse_app;
