-- What texts of a profile begin with, for users who look others up: one row for each text, without case and marks. A trigger writes
-- them, so that neither a feature nor an older server can forget; which fields are looked at, the policy says at each lookup.
CREATE TABLE gatehouse.search_key (
  tenant_id uuid NOT NULL DEFAULT gatehouse.tenant(),
  field text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  account_id uuid NOT NULL,
  PRIMARY KEY (tenant_id, field, key, account_id)
);
CREATE INDEX search_key_of_account ON gatehouse.search_key (tenant_id, account_id);
ALTER TABLE gatehouse.search_key ENABLE ROW LEVEL SECURITY;
ALTER TABLE gatehouse.search_key FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON gatehouse.search_key
  USING (tenant_id = (SELECT nullif(current_setting('app.tenant', true), '')::uuid))
  WITH CHECK (tenant_id = (SELECT nullif(current_setting('app.tenant', true), '')::uuid));
GRANT SELECT, INSERT, DELETE ON gatehouse.search_key TO gatehouse_app;

-- Compatibility forms are one with what they stand for, and combining marks go: `Zoë`, `ZOE` and `zoe` are one. A key is its first 64
-- characters, as a lookup's is.
CREATE FUNCTION gatehouse.search_key(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT left(regexp_replace(lower(normalize($1, NFKD) COLLATE pg_catalog."default"),
    '[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]', '', 'g'), 64)
$$;

-- The texts of a profile that may be names: no addresses of pages and no telephone numbers.
CREATE FUNCTION gatehouse.search_keys(profile jsonb) RETURNS TABLE (field text, key text) LANGUAGE sql IMMUTABLE STRICT
  PARALLEL SAFE AS $$
  SELECT member.name, gatehouse.search_key(member.value #>> '{}') FROM jsonb_each(profile) AS member (name, value)
  WHERE jsonb_typeof(member.value) = 'string' AND (member.value #>> '{}') !~ '^([+]|https?://|$)'
$$;

CREATE FUNCTION gatehouse.keep_search_keys() RETURNS trigger LANGUAGE plpgsql SET search_path = gatehouse, pg_temp AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM search_key AS k WHERE k.tenant_id = NEW.tenant_id AND k.account_id = NEW.id
      AND NOT EXISTS (SELECT FROM search_keys(NEW.profile) AS n WHERE n.field = k.field AND n.key = k.key);
  END IF;
  INSERT INTO search_key (tenant_id, field, key, account_id)
    SELECT NEW.tenant_id, n.field, n.key, NEW.id FROM search_keys(NEW.profile) AS n ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER search_keys_of_new AFTER INSERT ON gatehouse.account
  FOR EACH ROW WHEN (NEW.profile <> '{}') EXECUTE FUNCTION gatehouse.keep_search_keys();
CREATE TRIGGER search_keys_of_changed AFTER UPDATE OF profile ON gatehouse.account
  FOR EACH ROW WHEN (OLD.profile IS DISTINCT FROM NEW.profile) EXECUTE FUNCTION gatehouse.keep_search_keys();

-- What m0004 taught the planner of the tables before, it has to know of this one: a tenant counts as the whole table, and so does a field.
CREATE VIEW gatehouse.sample AS
  SELECT n, lpad(n::text, 40, '-') AS name,
    ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid AS id FROM generate_series(1, 200) AS n;
ALTER TABLE gatehouse.search_key ALTER COLUMN tenant_id SET (n_distinct = 1), ALTER COLUMN field SET (n_distinct = 1);
CREATE POLICY sample ON gatehouse.search_key TO gatehouse_owner USING (true) WITH CHECK (true);
INSERT INTO gatehouse.search_key (tenant_id, field, key, account_id) SELECT id, name, name, id FROM gatehouse.sample;
ANALYZE gatehouse.search_key;
ALTER TABLE gatehouse.search_key ALTER COLUMN tenant_id SET STATISTICS 0;
DELETE FROM gatehouse.search_key WHERE tenant_id IN (SELECT id FROM gatehouse.sample);
DROP VIEW gatehouse.sample;
-- As in m0013: a table whose rows are gone would be noted as empty, a truncated one is of unknown size.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM gatehouse.tenant) THEN TRUNCATE gatehouse.search_key; END IF;
END $$;

-- Accounts that there are.
CREATE POLICY sample ON gatehouse.account FOR SELECT TO gatehouse_owner USING (true);
INSERT INTO gatehouse.search_key (tenant_id, field, key, account_id)
  SELECT tenant_id, n.field, n.key, id FROM gatehouse.account, gatehouse.search_keys(profile) AS n;
DROP POLICY sample ON gatehouse.account;
DROP POLICY sample ON gatehouse.search_key;
ALTER TABLE gatehouse.search_key ADD CONSTRAINT search_key_account FOREIGN KEY (tenant_id, account_id)
  REFERENCES gatehouse.account (tenant_id, id) ON DELETE CASCADE;
