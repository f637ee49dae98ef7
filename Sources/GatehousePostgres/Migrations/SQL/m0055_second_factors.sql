-- Authenticator apps (RFC 6238). The seed is sealed. A row is a factor whose owner confirmed it by a first code.
CREATE TABLE gatehouse.totp (
  tenant_id uuid NOT NULL DEFAULT gatehouse.tenant(),
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  sealed_seed bytea NOT NULL,
  name text COLLATE "C",
  -- The time step of the newest code that was taken: neither it nor an older one is taken again.
  last_step bigint NOT NULL,
  -- The tries since the newest right code of the account, the same in all of its rows.
  failures integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT totp_account FOREIGN KEY (tenant_id, account_id)
    REFERENCES gatehouse.account (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX totp_of_account ON gatehouse.totp (tenant_id, account_id);
SELECT gatehouse.protect_tenant_table('totp');

-- Recovery codes, as MACs under a key that only the server has. A used one stays as a row until the next set replaces all.
CREATE TABLE gatehouse.recovery_code (
  tenant_id uuid NOT NULL DEFAULT gatehouse.tenant(),
  mac bytea NOT NULL CHECK (octet_length(mac) = 32),
  account_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  used_at timestamptz,
  PRIMARY KEY (tenant_id, mac),
  CONSTRAINT recovery_code_account FOREIGN KEY (tenant_id, account_id)
    REFERENCES gatehouse.account (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX recovery_code_of_account ON gatehouse.recovery_code (tenant_id, account_id);
SELECT gatehouse.protect_tenant_table('recovery_code');
SELECT gatehouse.teach_statistics(ARRAY[
  ['totp', '(tenant_id, id, account_id, sealed_seed, last_step, created_at) SELECT id, id, id, hash, n, moment FROM sample'],
  ['recovery_code', '(tenant_id, mac, account_id, created_at) SELECT id, hash, id, moment FROM sample']]);
GRANT SELECT, INSERT, DELETE, UPDATE (name, last_step, failures, last_used_at) ON gatehouse.totp TO gatehouse_app;
GRANT SELECT, INSERT, DELETE, UPDATE (used_at) ON gatehouse.recovery_code TO gatehouse_app;

-- A device on which a second factor was used, and the epoch of the account then. A later change of the account's password, address or
-- factors ends it.
ALTER TABLE gatehouse.device ADD COLUMN trusted_at timestamptz, ADD COLUMN trusted_epoch bigint;

-- The first session under a demand for a second factor: the grace of the account counts from it. NULL while no demand binds.
ALTER TABLE gatehouse.account ADD COLUMN mfa_asked_at timestamptz;

-- The names of the factors stand in the account, where a sign-in reads them. No statement that adds or removes a factor can forget them.
-- The codes of an account end with its last factor. A factor more or less raises the epoch, also beside another one of its kind, and so
-- does another set of codes. The use of a code does not, be it the last one.
CREATE FUNCTION gatehouse.follow_factors() RETURNS trigger LANGUAGE plpgsql SET search_path = gatehouse, pg_temp AS $$
DECLARE
  person uuid;
BEGIN
  -- One account at a time: each is found by its key, however large the tables are.
  FOR person IN SELECT DISTINCT account_id FROM changed LOOP
    IF TG_RELID = 'gatehouse.totp'::regclass AND NOT EXISTS (SELECT FROM totp WHERE account_id = person) THEN
      DELETE FROM recovery_code WHERE account_id = person;
    END IF;
    UPDATE account SET epoch = account.epoch + CASE TG_OP WHEN 'UPDATE' THEN 0 ELSE 1 END,
      factors = CASE WHEN EXISTS (SELECT FROM totp WHERE account_id = person) THEN
        ARRAY['totp'] || CASE WHEN EXISTS (SELECT FROM recovery_code WHERE account_id = person AND used_at IS NULL)
          THEN ARRAY['recovery_code'] ELSE '{}' END
        ELSE '{}' END
    WHERE account.id = person;
  END LOOP;
  RETURN NULL;
END $$;
DROP TRIGGER epoch_of_factors ON gatehouse.account;
CREATE TRIGGER epoch_of_factors BEFORE UPDATE OF factors ON gatehouse.account FOR EACH ROW
  WHEN (array_remove(OLD.factors, 'recovery_code') IS DISTINCT FROM array_remove(NEW.factors, 'recovery_code'))
  EXECUTE FUNCTION gatehouse.raise_epoch();
CREATE TRIGGER factors_added AFTER INSERT ON gatehouse.totp REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION gatehouse.follow_factors();
CREATE TRIGGER factors_removed AFTER DELETE ON gatehouse.totp REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION gatehouse.follow_factors();
CREATE TRIGGER codes_added AFTER INSERT ON gatehouse.recovery_code REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION gatehouse.follow_factors();
CREATE TRIGGER codes_used AFTER UPDATE ON gatehouse.recovery_code REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION gatehouse.follow_factors();
CREATE TRIGGER codes_removed AFTER DELETE ON gatehouse.recovery_code REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION gatehouse.follow_factors();

-- An account that is brought back has its factors.
CREATE OR REPLACE FUNCTION gatehouse.kept_tables() RETURNS TABLE (place bigint, relation text, key text) LANGUAGE sql IMMUTABLE
  SET search_path = gatehouse, pg_temp AS $$
  SELECT ordinality, name, CASE name WHEN 'account' THEN 'id' ELSE 'account_id' END
  FROM unnest(ARRAY['account', 'credential', 'password_history', 'password_compliance', 'unique_value', 'provider_identity', 'totp',
      'recovery_code'])
    WITH ORDINALITY AS kept (name, ordinality)
$$;
