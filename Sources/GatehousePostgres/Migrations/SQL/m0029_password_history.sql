-- The passwords that accounts had before the present one, hashed as that one is, where the policy has a rule `not_last`: so many as the
-- rule asks for. They go with the account, with the rule, and with a password that its owner never set.
CREATE TABLE gatehouse.password_history (
  tenant_id uuid NOT NULL DEFAULT gatehouse.tenant(),
  account_id uuid NOT NULL,
  -- Rises with each change of the account's password.
  number bigint NOT NULL,
  phc text NOT NULL,
  PRIMARY KEY (tenant_id, account_id, number),
  CONSTRAINT password_history_account FOREIGN KEY (tenant_id, account_id)
    REFERENCES gatehouse.account (tenant_id, id) ON DELETE CASCADE
);
ALTER TABLE gatehouse.password_history ENABLE ROW LEVEL SECURITY;
ALTER TABLE gatehouse.password_history FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON gatehouse.password_history
  USING (tenant_id = (SELECT nullif(current_setting('app.tenant', true), '')::uuid))
  WITH CHECK (tenant_id = (SELECT nullif(current_setting('app.tenant', true), '')::uuid));
GRANT SELECT, INSERT, DELETE ON gatehouse.password_history TO gatehouse_app;

-- What m0004 taught the planner of the tables before, it has to know of this one: a tenant counts as the whole table.
CREATE VIEW gatehouse.sample AS
  SELECT n, lpad(n::text, 40, '-') AS name, now() AS moment,
    ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid AS id FROM generate_series(1, 200) AS n;
ALTER TABLE gatehouse.password_history ALTER COLUMN tenant_id SET (n_distinct = 1);
CREATE POLICY sample ON gatehouse.account TO gatehouse_owner USING (true) WITH CHECK (true);
CREATE POLICY sample ON gatehouse.password_history TO gatehouse_owner USING (true) WITH CHECK (true);
-- Disabled, or they could not be deleted.
INSERT INTO gatehouse.tenant (id, name, display_name, created_at, enabled)
  SELECT id, name, name, moment, false FROM gatehouse.sample;
INSERT INTO gatehouse.account (tenant_id, id, email, created_at, updated_at, entered_by)
  SELECT id, id, name, moment, moment, 'sign_up' FROM gatehouse.sample;
INSERT INTO gatehouse.password_history (tenant_id, account_id, number, phc)
  SELECT id, id, n % 4 + 1, name FROM gatehouse.sample;
ANALYZE gatehouse.password_history;
ALTER TABLE gatehouse.password_history ALTER COLUMN tenant_id SET STATISTICS 0;
DELETE FROM gatehouse.password_history WHERE tenant_id IN (SELECT id FROM gatehouse.sample);
DELETE FROM gatehouse.account WHERE tenant_id IN (SELECT id FROM gatehouse.sample);
DELETE FROM gatehouse.tenant WHERE id IN (SELECT id FROM gatehouse.sample);
DROP POLICY sample ON gatehouse.account;
DROP POLICY sample ON gatehouse.password_history;
DROP VIEW gatehouse.sample;
-- As at the end of m0013: tables without a tenant count as of unknown size.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM gatehouse.tenant) THEN
    EXECUTE (SELECT format('TRUNCATE %s', string_agg(DISTINCT format('gatehouse.%I', relname), ', '))
      FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
      WHERE relnamespace = 'gatehouse'::regnamespace AND relkind = 'r'
        AND (attname IN ('tenant_id', 'tenant') OR relname = 'tenant'));
  END IF;
END $$;
