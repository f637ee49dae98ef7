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

DO $$
DECLARE wanted text;
BEGIN
  FOREACH wanted IN ARRAY ARRAY['provider_identity', 'provider_flow'] LOOP
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

-- What m0004 taught the planner of the tables before, it has to know of these: a tenant counts as the whole table.
CREATE VIEW gatehouse.sample AS
  SELECT n, lpad(n::text, 40, '-') AS name, sha256(n::text::bytea) AS hash, now() AS moment,
    ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid AS id FROM generate_series(1, 200) AS n;

DO $$
DECLARE wanted text;
BEGIN
  FOREACH wanted IN ARRAY ARRAY['account', 'provider_identity', 'provider_flow'] LOOP
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

DO $$
DECLARE wanted text;
BEGIN
  FOREACH wanted IN ARRAY ARRAY['provider_identity', 'provider_flow'] LOOP
    EXECUTE format('ANALYZE gatehouse.%I', wanted);
    EXECUTE format('ALTER TABLE gatehouse.%I ALTER COLUMN tenant_id SET STATISTICS 0', wanted);
  END LOOP;
  -- The others go with these.
  DELETE FROM gatehouse.account WHERE tenant_id IN (SELECT id FROM gatehouse.sample);
  DELETE FROM gatehouse.tenant WHERE id IN (SELECT id FROM gatehouse.sample);
  FOREACH wanted IN ARRAY ARRAY['account', 'provider_identity', 'provider_flow'] LOOP
    EXECUTE format('DROP POLICY sample ON gatehouse.%I', wanted);
  END LOOP;
  -- As m0013: sizes of tables that nobody used yet are unknown, not none.
  IF NOT EXISTS (SELECT FROM gatehouse.tenant) THEN
    EXECUTE (SELECT format('TRUNCATE %s', string_agg(DISTINCT format('gatehouse.%I', relname), ', '))
      FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
      WHERE relnamespace = 'gatehouse'::regnamespace AND relkind = 'r'
        AND (attname IN ('tenant_id', 'tenant') OR relname = 'tenant'));
  END IF;
END $$;
DROP VIEW gatehouse.sample;
