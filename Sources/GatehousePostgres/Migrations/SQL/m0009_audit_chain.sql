-- The chain over the audit trail: a sealer numbers each tenant's committed rows and hashes each together with the one
-- before. Only whoever holds the key-encryption key can sign a head.

-- Rows that are not sealed yet. A row is listed by the transaction that writes it, so that it turns up here when that
-- commits, however late: no order of ids, times or transactions has to be trusted for none to be passed over.
CREATE TABLE gatehouse.audit_unsealed (
  tenant_id uuid NOT NULL DEFAULT gatehouse.tenant(),
  audit_id uuid NOT NULL,
  PRIMARY KEY (tenant_id, audit_id)
);

CREATE TABLE gatehouse.audit_link (
  tenant_id uuid NOT NULL DEFAULT gatehouse.tenant(),
  seq bigint NOT NULL CHECK (seq > 0),
  audit_id uuid NOT NULL,
  sealed_at timestamptz NOT NULL,
  -- The key of the commitment to what the row says of a person. It goes when that is erased; the commitment stays, and
  -- tells nobody anything.
  salt bytea CHECK (octet_length(salt) = 32),
  commitment bytea NOT NULL CHECK (octet_length(commitment) = 32),
  hash bytea NOT NULL CHECK (octet_length(hash) = 32),
  PRIMARY KEY (tenant_id, seq)
);
CREATE UNIQUE INDEX audit_link_row ON gatehouse.audit_link (tenant_id, audit_id);

-- How far a tenant's chain goes. Whoever adds to it or erases from it moves the version on.
CREATE TABLE gatehouse.audit_head (
  tenant_id uuid NOT NULL DEFAULT gatehouse.tenant(),
  version bigint NOT NULL DEFAULT 0,
  -- The signed head (a JWS): number and hash of the last link.
  token text,
  PRIMARY KEY (tenant_id)
);

CREATE TABLE gatehouse.audit_key (
  tenant_id uuid NOT NULL DEFAULT gatehouse.tenant(),
  sealed_private_key bytea NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id)
);

DO $$
DECLARE wanted text;
BEGIN
  FOREACH wanted IN ARRAY ARRAY['audit_unsealed', 'audit_link', 'audit_head', 'audit_key'] LOOP
    EXECUTE format('ALTER TABLE gatehouse.%I ENABLE ROW LEVEL SECURITY', wanted);
    EXECUTE format('ALTER TABLE gatehouse.%I FORCE ROW LEVEL SECURITY', wanted);
    EXECUTE format($policy$
      CREATE POLICY tenant ON gatehouse.%I
        USING (tenant_id = (SELECT nullif(current_setting('app.tenant', true), '')::uuid))
        WITH CHECK (tenant_id = (SELECT nullif(current_setting('app.tenant', true), '')::uuid))
      $policy$, wanted);
  END LOOP;
END $$;

GRANT SELECT, INSERT, DELETE ON gatehouse.audit_unsealed TO gatehouse_app;
GRANT SELECT, INSERT ON gatehouse.audit_link, gatehouse.audit_key TO gatehouse_app;
GRANT SELECT, INSERT, UPDATE ON gatehouse.audit_head TO gatehouse_app;

-- The jobs role sees whose rows wait, and nothing of them.
GRANT SELECT (tenant_id) ON gatehouse.audit_unsealed TO gatehouse_jobs;
CREATE POLICY jobs ON gatehouse.audit_unsealed FOR SELECT TO gatehouse_jobs USING (true);

CREATE FUNCTION gatehouse.await_sealing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO gatehouse.audit_unsealed (tenant_id, audit_id) VALUES (NEW.tenant_id, NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER await_sealing AFTER INSERT ON gatehouse.audit
  FOR EACH ROW EXECUTE FUNCTION gatehouse.await_sealing();

-- Rows from before wait as well. Row-level security binds the owner too, but for this one policy.
CREATE POLICY backfill ON gatehouse.audit FOR SELECT TO gatehouse_owner USING (true);
CREATE POLICY backfill ON gatehouse.audit_unsealed FOR INSERT TO gatehouse_owner WITH CHECK (true);
INSERT INTO gatehouse.audit_unsealed (tenant_id, audit_id) SELECT tenant_id, id FROM gatehouse.audit;
DROP POLICY backfill ON gatehouse.audit;
DROP POLICY backfill ON gatehouse.audit_unsealed;

-- What administrators did is theirs when they go.
CREATE INDEX audit_administrator ON gatehouse.audit (tenant_id, actor) WHERE actor LIKE 'administrator:%';

-- Codes to an address go with its account, whatever they are for.
CREATE INDEX one_time_code_mailed ON gatehouse.one_time_code (tenant_id, destination);

-- Mails that wait go with the account they are about, and so does what is known of those that went.
ALTER TABLE gatehouse.outbox ADD COLUMN account_id uuid,
  ADD CONSTRAINT outbox_account FOREIGN KEY (tenant_id, account_id)
    REFERENCES gatehouse.account (tenant_id, id) ON DELETE CASCADE;
CREATE INDEX outbox_of_account ON gatehouse.outbox (tenant_id, account_id) WHERE account_id IS NOT NULL;

-- Whether the end of a session that ran out is in the audit trail. Those of before are not told any more.
ALTER TABLE gatehouse.session ADD COLUMN expiry_noted boolean NOT NULL DEFAULT true;
ALTER TABLE gatehouse.session ALTER COLUMN expiry_noted SET DEFAULT false;

-- A UUIDv7 (RFC 9562) for rows that a statement makes by itself.
CREATE FUNCTION gatehouse.make_id() RETURNS uuid LANGUAGE sql VOLATILE AS $$
  SELECT encode(set_byte(overlay(uuid_send(gen_random_uuid()) PLACING
    substring(int8send((extract(epoch FROM gatehouse.now()) * 1000)::bigint) FROM 3) FROM 1 FOR 6),
    6, get_byte(uuid_send(gen_random_uuid()), 6) & 15 | 112), 'hex')::uuid
$$;

-- Counters go by names from here on that only the server can make. Counting begins anew, once.
TRUNCATE gatehouse.sign_in_guard, gatehouse.limit_counter;

-- Removes an account with all that belongs to it, and from the audit trail what says more of the person than a number:
-- addresses, requests and details. The rows stay, and the chain over them holds, for none of that is hashed but under a
-- salt, which goes. It runs as the owner, whom the row-level security binds to the tenant that is set.
CREATE FUNCTION gatehouse.erase_account(person uuid) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = gatehouse, pg_temp AS $$
DECLARE
  reached_at text;
  acting text := 'administrator:' || person;
BEGIN
  -- A sealer that read rows before they were erased finds another version, and reads again.
  INSERT INTO audit_head (version) VALUES (0) ON CONFLICT DO NOTHING;
  UPDATE audit_head SET version = version + 1;
  SELECT email INTO reached_at FROM account WHERE id = person FOR UPDATE;
  PERFORM require(FOUND, 'account_exists');
  DELETE FROM one_time_code WHERE destination = reached_at;
  DELETE FROM account WHERE id = person;
  -- One statement for each of the two indices.
  UPDATE audit_link SET salt = NULL WHERE audit_id IN (SELECT id FROM audit WHERE account_id = person);
  UPDATE audit_link SET salt = NULL
  WHERE audit_id IN (SELECT id FROM audit WHERE actor = acting AND actor LIKE 'administrator:%');
  UPDATE audit SET address = NULL, request_id = NULL, details = '{}' WHERE account_id = person;
  UPDATE audit SET address = NULL, request_id = NULL, details = '{}'
  WHERE actor = acting AND actor LIKE 'administrator:%';
END $$;
REVOKE ALL ON FUNCTION gatehouse.erase_account(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION gatehouse.erase_account(uuid) TO gatehouse_app;

-- Removes the tenant that is set, with everything in it: whatever tables there will be.
CREATE OR REPLACE FUNCTION gatehouse.erase_tenant() RETURNS void LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = gatehouse, pg_temp AS $$
DECLARE found text;
BEGIN
  -- First the accounts, with what goes with them.
  DELETE FROM account;
  FOR found IN
    SELECT relname FROM pg_class WHERE relnamespace = 'gatehouse'::regnamespace AND relkind IN ('r', 'p')
      -- Only there is "all rows" those of the tenant that is set.
      AND relrowsecurity AND relforcerowsecurity
      AND EXISTS (SELECT FROM pg_attribute WHERE attrelid = pg_class.oid AND attname = 'tenant_id' AND NOT attisdropped)
    ORDER BY 1
  LOOP
    EXECUTE format('DELETE FROM %I', found);
  END LOOP;
END $$;

-- What m0004 taught the planner of the tables before, it has to know of these: a tenant counts as the whole table.
CREATE VIEW gatehouse.sample AS
  SELECT n, sha256(n::text::bytea) AS hash, now() AS moment,
    ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid AS id FROM generate_series(1, 200) AS n;

DO $$
DECLARE wanted text;
BEGIN
  FOREACH wanted IN ARRAY ARRAY['audit_unsealed', 'audit_link', 'audit_head', 'audit_key'] LOOP
    EXECUTE format('ALTER TABLE gatehouse.%I ALTER COLUMN tenant_id SET (n_distinct = 1)', wanted);
    EXECUTE format('CREATE POLICY sample ON gatehouse.%I TO gatehouse_owner USING (true) WITH CHECK (true)', wanted);
  END LOOP;
END $$;

INSERT INTO gatehouse.audit_unsealed (tenant_id, audit_id) SELECT id, id FROM gatehouse.sample;
INSERT INTO gatehouse.audit_link (tenant_id, seq, audit_id, sealed_at, commitment, hash)
  SELECT id, n, id, moment, hash, hash FROM gatehouse.sample;
INSERT INTO gatehouse.audit_head (tenant_id) SELECT id FROM gatehouse.sample;
INSERT INTO gatehouse.audit_key (tenant_id, sealed_private_key, created_at)
  SELECT id, hash, moment FROM gatehouse.sample;

DO $$
DECLARE wanted text;
BEGIN
  FOREACH wanted IN ARRAY ARRAY['audit_unsealed', 'audit_link', 'audit_head', 'audit_key'] LOOP
    EXECUTE format('ANALYZE gatehouse.%I', wanted);
    EXECUTE format('ALTER TABLE gatehouse.%I ALTER COLUMN tenant_id SET STATISTICS 0', wanted);
    EXECUTE format('DELETE FROM gatehouse.%I WHERE tenant_id IN (SELECT id FROM gatehouse.sample)', wanted);
    EXECUTE format('DROP POLICY sample ON gatehouse.%I', wanted);
  END LOOP;
END $$;
DROP VIEW gatehouse.sample;
