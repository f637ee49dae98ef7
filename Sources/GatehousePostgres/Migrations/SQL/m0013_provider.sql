-- Who somebody is at an identity provider. A person there is an issuer and a subject, never an address: those change hands.
CREATE TABLE gatehouse.provider_identity (
  tenant_id uuid NOT NULL DEFAULT gatehouse.tenant(),
  account_id uuid NOT NULL,
  -- As the policy names it.
  provider text COLLATE "C" NOT NULL,
  issuer text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  -- Nobody else here may be this person there. Not so only where a policy lets people share an account that is linked.
  exclusive boolean NOT NULL DEFAULT true,
  scopes text[] NOT NULL DEFAULT '{}',
  -- `broken`: the provider does not honour the grant any more; the person has to link again.
  state text NOT NULL DEFAULT 'linked' CHECK (state IN ('linked', 'broken')),
  linked_at timestamptz NOT NULL,
  changed_at timestamptz NOT NULL,
  CONSTRAINT provider_identity_pkey PRIMARY KEY (tenant_id, account_id, provider),
  CONSTRAINT provider_identity_account FOREIGN KEY (tenant_id, account_id)
    REFERENCES gatehouse.account (tenant_id, id) ON DELETE CASCADE
) WITH (fillfactor = 85);
CREATE UNIQUE INDEX provider_identity_person ON gatehouse.provider_identity (tenant_id, issuer, subject) WHERE exclusive;
CREATE INDEX provider_identity_shared ON gatehouse.provider_identity (tenant_id, issuer, subject) WHERE NOT exclusive;

-- A person who is away at a provider, and what has to be remembered until they are back. Coming back deletes the row, so that
-- it happens once.
CREATE TABLE gatehouse.provider_flow (
  tenant_id uuid NOT NULL DEFAULT gatehouse.tenant(),
  -- SHA-256 of the `state` (or of the code that ends a sign-in in a browser).
  state_hash bytea NOT NULL CHECK (octet_length(state_hash) = 32),
  provider text COLLATE "C" NOT NULL,
  purpose text NOT NULL CHECK (purpose IN ('sign_in', 'hand_back', 'link')),
  -- SHA-256 of what the one who began holds: a cookie of the browser, or the challenge of the app.
  holder_hash bytea CHECK (octet_length(holder_hash) = 32),
  -- Who links; nobody is known at a sign-in.
  account_id uuid,
  session_id uuid,
  -- Code verifier, nonce, what the app gave to keep.
  sealed_payload bytea NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, state_hash),
  CONSTRAINT provider_flow_account FOREIGN KEY (tenant_id, account_id)
    REFERENCES gatehouse.account (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX provider_flow_of_account ON gatehouse.provider_flow (tenant_id, account_id) WHERE account_id IS NOT NULL;
CREATE INDEX provider_flow_expiry ON gatehouse.provider_flow (expires_at);

-- What providers gave for a person's consent: their tokens, sealed for this tenant, account, provider and version. It hangs on the
-- identity: whatever takes that away takes the grant, too.
CREATE TABLE gatehouse.provider_grant (
  tenant_id uuid NOT NULL DEFAULT gatehouse.tenant(),
  account_id uuid NOT NULL,
  provider text COLLATE "C" NOT NULL,
  -- Counts what was kept here. Whoever refreshes writes over the version that they read, and no other.
  version bigint NOT NULL CHECK (version > 0),
  -- SHA-256 of who the person is there, to see whether a grant given back is another one's, too.
  person_hash bytea NOT NULL CHECK (octet_length(person_hash) = 32),
  sealed_tokens bytea NOT NULL,
  -- Whether the provider has a way to take it back.
  revocable boolean NOT NULL,
  kept_at timestamptz NOT NULL,
  -- Of the access token; null where the provider does not say.
  expires_at timestamptz,
  -- Somebody is refreshing it.
  leased_until timestamptz,
  -- The provider asked for patience, or does not answer.
  paused_until timestamptz,
  CONSTRAINT provider_grant_pkey PRIMARY KEY (tenant_id, account_id, provider),
  CONSTRAINT provider_grant_identity FOREIGN KEY (tenant_id, account_id, provider)
    REFERENCES gatehouse.provider_identity (tenant_id, account_id, provider) ON DELETE CASCADE
) WITH (fillfactor = 70);
CREATE INDEX provider_grant_person ON gatehouse.provider_grant (tenant_id, person_hash);

-- Grants that are gone here and still have to be given back there. No foreign key: the account may be gone with it.
CREATE TABLE gatehouse.provider_revocation (
  tenant_id uuid NOT NULL DEFAULT gatehouse.tenant(),
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL,
  provider text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  person_hash bytea NOT NULL,
  sealed_tokens bytea NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL,
  -- Nobody tries for longer than that.
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX provider_revocation_due ON gatehouse.provider_revocation (due_at);

-- Whatever deletes a grant, with its identity or account or alone, leaves the order to give it back.
CREATE FUNCTION gatehouse.order_revocation() RETURNS trigger LANGUAGE plpgsql SET search_path = gatehouse, pg_temp AS $$
BEGIN
  INSERT INTO provider_revocation (tenant_id, account_id, provider, version, person_hash, sealed_tokens, due_at, expires_at)
  VALUES (OLD.tenant_id, OLD.account_id, OLD.provider, OLD.version, OLD.person_hash, OLD.sealed_tokens, gatehouse.now(),
    gatehouse.now() + interval '3 days');
  RETURN NULL;
END $$;
CREATE TRIGGER order_revocation AFTER DELETE ON gatehouse.provider_grant
  FOR EACH ROW WHEN (OLD.revocable) EXECUTE FUNCTION gatehouse.order_revocation();

DO $$
DECLARE wanted text;
BEGIN
  FOREACH wanted IN ARRAY ARRAY['provider_identity', 'provider_flow', 'provider_grant', 'provider_revocation'] LOOP
    EXECUTE format('ALTER TABLE gatehouse.%I ENABLE ROW LEVEL SECURITY', wanted);
    EXECUTE format('ALTER TABLE gatehouse.%I FORCE ROW LEVEL SECURITY', wanted);
    EXECUTE format($policy$
      CREATE POLICY tenant ON gatehouse.%I
        USING (tenant_id = (SELECT nullif(current_setting('app.tenant', true), '')::uuid))
        WITH CHECK (tenant_id = (SELECT nullif(current_setting('app.tenant', true), '')::uuid))
      $policy$, wanted);
  END LOOP;
END $$;
GRANT SELECT, INSERT, UPDATE, DELETE ON gatehouse.provider_identity TO gatehouse_app;
GRANT SELECT, INSERT, DELETE ON gatehouse.provider_flow TO gatehouse_app;
-- A password goes when the true owner of its account's address arrives by a provider.
GRANT DELETE ON gatehouse.credential TO gatehouse_app;

-- The sweep of flows that nobody came back from, as gatehouse.prune is that of the others.
GRANT SELECT (ctid, tenant_id, expires_at), DELETE ON gatehouse.provider_flow TO gatehouse_jobs;
CREATE POLICY jobs ON gatehouse.provider_flow TO gatehouse_jobs USING (true) WITH CHECK (true);
CREATE FUNCTION gatehouse.prune_provider_flows(batch integer) RETURNS TABLE (kind text, pruned bigint) LANGUAGE plpgsql
  SET search_path = gatehouse, pg_temp AS $$
DECLARE moment timestamptz := gatehouse.now();
BEGIN
  kind := 'provider_flows';
  DELETE FROM provider_flow
  WHERE ctid = ANY (ARRAY(SELECT ctid FROM provider_flow WHERE expires_at <= moment LIMIT batch))
    AND expires_at <= moment;
  GET DIAGNOSTICS pruned = ROW_COUNT;
  RETURN NEXT;
END $$;
REVOKE ALL ON FUNCTION gatehouse.prune_provider_flows(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION gatehouse.prune_provider_flows(integer) TO gatehouse_jobs;

GRANT SELECT, INSERT, UPDATE, DELETE ON gatehouse.provider_grant TO gatehouse_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON gatehouse.provider_revocation TO gatehouse_app;
-- The worker takes orders of all tenants; what is sealed in them opens with the tenant's key alone.
GRANT SELECT, UPDATE, DELETE ON gatehouse.provider_revocation TO gatehouse_jobs;
CREATE POLICY jobs ON gatehouse.provider_revocation TO gatehouse_jobs USING (true) WITH CHECK (true);

-- What m0004 taught the planner of the tables before, it has to know of these: a tenant counts as the whole table.
CREATE VIEW gatehouse.sample AS
  SELECT n, lpad(n::text, 40, '-') AS name, sha256(n::text::bytea) AS hash, now() AS moment,
    ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid AS id FROM generate_series(1, 200) AS n;

DO $$
DECLARE wanted text;
BEGIN
  FOREACH wanted IN ARRAY ARRAY['account', 'provider_identity', 'provider_flow', 'provider_grant', 'provider_revocation'] LOOP
    EXECUTE format('ALTER TABLE gatehouse.%I ALTER COLUMN tenant_id SET (n_distinct = 1)', wanted);
    EXECUTE format('CREATE POLICY sample ON gatehouse.%I TO gatehouse_owner USING (true) WITH CHECK (true)', wanted);
  END LOOP;
END $$;

INSERT INTO gatehouse.tenant (id, name, display_name, created_at) SELECT id, name, name, moment FROM gatehouse.sample;
INSERT INTO gatehouse.account (tenant_id, id, email, created_at, updated_at, entered_by)
  SELECT id, id, name, moment, moment, 'sign_up' FROM gatehouse.sample;
INSERT INTO gatehouse.provider_identity (tenant_id, account_id, provider, issuer, subject, exclusive, linked_at, changed_at)
  SELECT id, id, 'spotify', 'https://accounts.spotify.com', name, n % 10 > 0, moment, moment FROM gatehouse.sample;
INSERT INTO gatehouse.provider_flow (tenant_id, state_hash, provider, purpose, holder_hash, account_id, sealed_payload,
    created_at, expires_at)
  SELECT id, hash, 'spotify', 'link', hash, id, hash, moment, moment + n * interval '1 second' FROM gatehouse.sample;
INSERT INTO gatehouse.provider_grant (tenant_id, account_id, provider, version, person_hash, sealed_tokens, revocable, kept_at,
    expires_at)
  SELECT id, id, 'spotify', 1, hash, hash, false, moment, moment + n * interval '1 second' FROM gatehouse.sample;
INSERT INTO gatehouse.provider_revocation (tenant_id, account_id, provider, version, person_hash, sealed_tokens, due_at, expires_at)
  SELECT id, id, 'spotify', 1, hash, hash, moment + n * interval '1 second', moment + interval '1 day' FROM gatehouse.sample;

DO $$
DECLARE wanted text;
BEGIN
  FOREACH wanted IN ARRAY ARRAY['provider_identity', 'provider_flow', 'provider_grant', 'provider_revocation'] LOOP
    EXECUTE format('ANALYZE gatehouse.%I', wanted);
    EXECUTE format('ALTER TABLE gatehouse.%I ALTER COLUMN tenant_id SET STATISTICS 0', wanted);
  END LOOP;
  -- The others go with these.
  DELETE FROM gatehouse.provider_revocation WHERE tenant_id IN (SELECT id FROM gatehouse.sample);
  DELETE FROM gatehouse.account WHERE tenant_id IN (SELECT id FROM gatehouse.sample);
  DELETE FROM gatehouse.tenant WHERE id IN (SELECT id FROM gatehouse.sample);
  FOREACH wanted IN ARRAY ARRAY['account', 'provider_identity', 'provider_flow', 'provider_grant', 'provider_revocation'] LOOP
    EXECUTE format('DROP POLICY sample ON gatehouse.%I', wanted);
  END LOOP;
END $$;
DROP VIEW gatehouse.sample;

-- The samples that taught the planner are gone; once autovacuum sees that, it notes "no rows" for tables that nobody used
-- yet, and every plan costs the same until the first analysis. A table that was truncated counts as "size unknown" instead,
-- whatever autovacuum does. Only while there is no tenant: then no table has a row to lose.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM gatehouse.tenant) THEN
    EXECUTE (SELECT format('TRUNCATE %s', string_agg(DISTINCT format('gatehouse.%I', relname), ', '))
      FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
      WHERE relnamespace = 'gatehouse'::regnamespace AND relkind = 'r'
        AND (attname IN ('tenant_id', 'tenant') OR relname = 'tenant'));
  END IF;
END $$;
