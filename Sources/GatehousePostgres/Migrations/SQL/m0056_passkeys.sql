-- Passkeys (WebAuthn). The key is public; the authenticator's id of it is of one row in a tenant.
CREATE TABLE gatehouse.passkey (
  tenant_id uuid NOT NULL DEFAULT gatehouse.tenant(),
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  credential_id bytea NOT NULL CHECK (octet_length(credential_id) BETWEEN 1 AND 1023),
  -- The relying party that it was made for: an authenticator answers to no other one.
  rp_id text COLLATE "C" NOT NULL,
  public_key bytea NOT NULL,
  -- The number of COSE (RFC 9053).
  algorithm integer NOT NULL,
  sign_count bigint NOT NULL,
  -- The model of the authenticator, as it says (AAGUID).
  model bytea NOT NULL CHECK (octet_length(model) = 16),
  attested boolean NOT NULL,
  backup_eligible boolean NOT NULL,
  backed_up boolean NOT NULL,
  transports text[] COLLATE "C" NOT NULL,
  name text COLLATE "C",
  created_at timestamptz NOT NULL,
  last_used_at timestamptz,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT passkey_credential UNIQUE (tenant_id, credential_id),
  CONSTRAINT passkey_account FOREIGN KEY (tenant_id, account_id)
    REFERENCES gatehouse.account (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX passkey_of_account ON gatehouse.passkey (tenant_id, account_id);
SELECT gatehouse.protect_tenant_table('passkey');
SELECT gatehouse.teach_statistics(ARRAY[
  ['passkey', '(tenant_id, id, account_id, credential_id, rp_id, public_key, algorithm, sign_count, model, attested, backup_eligible, backed_up, transports, created_at) SELECT id, id, id, hash, ''example.com'', hash, -7, n, decode(md5(n::text), ''hex''), false, true, true, ''{}'', moment FROM sample']]);
GRANT SELECT, INSERT, DELETE, UPDATE (name, sign_count, backup_eligible, backed_up, last_used_at)
  ON gatehouse.passkey TO gatehouse_app;

-- The account's list of its factors, with passkeys. The codes of an account end with its last factor of any kind.
CREATE OR REPLACE FUNCTION gatehouse.follow_factors() RETURNS trigger LANGUAGE plpgsql SET search_path = gatehouse, pg_temp AS $$
DECLARE
  person uuid;
  kinds text[];
BEGIN
  -- One account at a time: each is found by its key, however large the tables are.
  FOR person IN SELECT DISTINCT account_id FROM changed LOOP
    kinds := CASE WHEN EXISTS (SELECT FROM totp WHERE account_id = person) THEN ARRAY['totp'] ELSE '{}' END
      || CASE WHEN EXISTS (SELECT FROM passkey WHERE account_id = person) THEN ARRAY['passkey'] ELSE '{}' END;
    IF kinds = '{}' AND TG_RELID <> 'gatehouse.recovery_code'::regclass THEN
      DELETE FROM recovery_code WHERE account_id = person;
    END IF;
    UPDATE account SET epoch = account.epoch + CASE TG_OP WHEN 'UPDATE' THEN 0 ELSE 1 END,
      factors = kinds || CASE
        WHEN kinds <> '{}' AND EXISTS (SELECT FROM recovery_code WHERE account_id = person AND used_at IS NULL)
          THEN ARRAY['recovery_code'] ELSE '{}' END
    WHERE account.id = person;
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER factors_added AFTER INSERT ON gatehouse.passkey REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION gatehouse.follow_factors();
CREATE TRIGGER factors_removed AFTER DELETE ON gatehouse.passkey REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION gatehouse.follow_factors();

-- An account that is brought back has its passkeys.
CREATE OR REPLACE FUNCTION gatehouse.kept_tables() RETURNS TABLE (place bigint, relation text, key text) LANGUAGE sql IMMUTABLE
  SET search_path = gatehouse, pg_temp AS $$
  SELECT ordinality, name, CASE name WHEN 'account' THEN 'id' ELSE 'account_id' END
  FROM unnest(ARRAY['account', 'credential', 'password_history', 'password_compliance', 'unique_value', 'provider_identity', 'totp',
      'passkey', 'recovery_code'])
    WITH ORDINALITY AS kept (name, ordinality)
$$;
