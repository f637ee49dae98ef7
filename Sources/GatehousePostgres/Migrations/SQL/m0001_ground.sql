-- The ground: tenants, their policies and keys, accounts, sessions, codes, limits, audit trail and outbox.
-- Every table with a tenant_id enables and forces row-level security and has its keys begin with tenant_id.

CREATE FUNCTION gatehouse.tenant() RETURNS uuid LANGUAGE sql STABLE AS
  $$ SELECT nullif(current_setting('app.tenant', true), '')::uuid $$;

-- The time by which stored things expire. Only tests set app.now, to move the clock instead of waiting.
CREATE FUNCTION gatehouse.now() RETURNS timestamptz LANGUAGE sql STABLE AS
  $$ SELECT coalesce(nullif(current_setting('app.now', true), '')::timestamptz, pg_catalog.now()) $$;

-- The condition of a change: when it does not hold, everything in the segment is taken back.
CREATE FUNCTION gatehouse.require(holds boolean, name text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF holds IS NOT TRUE THEN RAISE EXCEPTION USING ERRCODE = 'GH001', MESSAGE = name; END IF;
END $$;

CREATE TABLE gatehouse.tenant (
  id uuid PRIMARY KEY,
  name text COLLATE "C" NOT NULL CONSTRAINT tenant_name_unique UNIQUE,
  display_name text NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL
);

CREATE TABLE gatehouse.policy_revision (
  tenant_id uuid NOT NULL DEFAULT gatehouse.tenant(),
  number integer NOT NULL CHECK (number > 0),
  text text NOT NULL,
  digest bytea NOT NULL CHECK (octet_length(digest) = 32),
  author text NOT NULL,
  reason text NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT policy_revision_pkey PRIMARY KEY (tenant_id, number)
);

CREATE TABLE gatehouse.data_key (
  tenant_id uuid NOT NULL DEFAULT gatehouse.tenant(),
  version integer NOT NULL CHECK (version > 0),
  sealed bytea NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, version)
);

CREATE TABLE gatehouse.signing_key (
  tenant_id uuid NOT NULL DEFAULT gatehouse.tenant(),
  kid text COLLATE "C" NOT NULL,
  state text NOT NULL CHECK (state IN ('next', 'active', 'retired')),
  sealed_private_key bytea NOT NULL,
  created_at timestamptz NOT NULL,
  changed_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, kid)
);
CREATE UNIQUE INDEX signing_key_one_active ON gatehouse.signing_key (tenant_id) WHERE state = 'active';

CREATE TABLE gatehouse.secret (
  tenant_id uuid NOT NULL DEFAULT gatehouse.tenant(),
  name text COLLATE "C" NOT NULL,
  sealed bytea NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, name)
);

CREATE TABLE gatehouse.account (
  tenant_id uuid NOT NULL DEFAULT gatehouse.tenant(),
  id uuid NOT NULL,
  email text COLLATE "C" NOT NULL,
  email_verified_at timestamptz,
  disabled_at timestamptz,
  profile jsonb NOT NULL DEFAULT '{}',
  is_online boolean NOT NULL DEFAULT false,
  last_seen timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  password_changed_at timestamptz,
  must_change_password boolean NOT NULL DEFAULT false,
  entered_by text NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT account_email_unique UNIQUE (tenant_id, email)
);

-- What is unique among accounts besides the address: one row for each value, in the form that is compared.
CREATE TABLE gatehouse.unique_value (
  tenant_id uuid NOT NULL DEFAULT gatehouse.tenant(),
  field text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  account_id uuid NOT NULL,
  PRIMARY KEY (tenant_id, field, key),
  CONSTRAINT unique_value_account FOREIGN KEY (tenant_id, account_id)
    REFERENCES gatehouse.account (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX unique_value_of_account ON gatehouse.unique_value (tenant_id, account_id);

CREATE TABLE gatehouse.credential (
  tenant_id uuid NOT NULL DEFAULT gatehouse.tenant(),
  account_id uuid NOT NULL,
  phc text NOT NULL,
  PRIMARY KEY (tenant_id, account_id),
  CONSTRAINT credential_account FOREIGN KEY (tenant_id, account_id)
    REFERENCES gatehouse.account (tenant_id, id) ON DELETE CASCADE
);

CREATE TABLE gatehouse.session (
  tenant_id uuid NOT NULL DEFAULT gatehouse.tenant(),
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  authenticated_at timestamptz NOT NULL,
  methods text[] NOT NULL,
  expires_at timestamptz NOT NULL,
  idle_expires_at timestamptz NOT NULL,
  device_name text,
  push_platform text,
  sealed_push_token bytea,
  ended_at timestamptz,
  end_reason text,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT session_account FOREIGN KEY (tenant_id, account_id)
    REFERENCES gatehouse.account (tenant_id, id) ON DELETE CASCADE,
  CHECK ((ended_at IS NULL) = (end_reason IS NULL)),
  CHECK ((push_platform IS NULL) = (sealed_push_token IS NULL))
) WITH (fillfactor = 85);
CREATE INDEX session_live ON gatehouse.session (tenant_id, account_id, created_at DESC) WHERE ended_at IS NULL;
CREATE INDEX session_of_account ON gatehouse.session (tenant_id, account_id);
-- For the sweep. Block ranges cost next to nothing, and rows come in the order of this column.
CREATE INDEX session_age ON gatehouse.session USING brin (created_at);

CREATE TABLE gatehouse.refresh_token (
  tenant_id uuid NOT NULL DEFAULT gatehouse.tenant(),
  hash bytea NOT NULL CHECK (octet_length(hash) = 32),
  session_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  spent_at timestamptz,
  sealed_successor bytea,
  successor_hash bytea,
  PRIMARY KEY (tenant_id, hash),
  CONSTRAINT refresh_token_session FOREIGN KEY (tenant_id, session_id)
    REFERENCES gatehouse.session (tenant_id, id) ON DELETE CASCADE
) WITH (fillfactor = 85);
CREATE INDEX refresh_token_of_session ON gatehouse.refresh_token (tenant_id, session_id);
-- For the sweep: few rows at any time, those whose successor can still be given out again.
CREATE INDEX refresh_token_sealed ON gatehouse.refresh_token (spent_at) WHERE sealed_successor IS NOT NULL;
CREATE INDEX refresh_token_age ON gatehouse.refresh_token USING brin (created_at);

CREATE TABLE gatehouse.one_time_code (
  tenant_id uuid NOT NULL DEFAULT gatehouse.tenant(),
  id uuid NOT NULL,
  purpose text NOT NULL,
  account_id uuid,
  destination text COLLATE "C" NOT NULL,
  token_hash bytea,
  code_mac bytea,
  token_expires_at timestamptz NOT NULL,
  code_expires_at timestamptz NOT NULL,
  sealed_payload bytea,
  created_at timestamptz NOT NULL,
  used_at timestamptz,
  superseded_at timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT one_time_code_account FOREIGN KEY (tenant_id, account_id)
    REFERENCES gatehouse.account (tenant_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX one_time_code_token ON gatehouse.one_time_code (tenant_id, token_hash);
CREATE INDEX one_time_code_destination ON gatehouse.one_time_code (tenant_id, purpose, destination, created_at DESC);
CREATE INDEX one_time_code_of_account ON gatehouse.one_time_code (tenant_id, account_id);
CREATE INDEX one_time_code_age ON gatehouse.one_time_code USING brin (created_at);

CREATE TABLE gatehouse.limit_counter (
  tenant_id uuid NOT NULL DEFAULT gatehouse.tenant(),
  name text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  window_start timestamptz NOT NULL,
  window_end timestamptz NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (tenant_id, name, key)
) WITH (fillfactor = 70);

CREATE TABLE gatehouse.sign_in_guard (
  tenant_id uuid NOT NULL DEFAULT gatehouse.tenant(),
  key bytea NOT NULL,
  failures integer NOT NULL,
  blocked_until timestamptz NOT NULL,
  permit uuid NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, key)
) WITH (fillfactor = 70);

CREATE TABLE gatehouse.outbox (
  tenant_id uuid NOT NULL DEFAULT gatehouse.tenant(),
  id uuid NOT NULL,
  kind text NOT NULL,
  sealed_order bytea,
  created_at timestamptz NOT NULL,
  due_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  delivered_at timestamptz,
  given_up_at timestamptz,
  last_error text,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX outbox_due ON gatehouse.outbox (due_at) WHERE delivered_at IS NULL AND given_up_at IS NULL;
CREATE INDEX outbox_age ON gatehouse.outbox USING brin (created_at);

CREATE TABLE gatehouse.audit (
  tenant_id uuid NOT NULL DEFAULT gatehouse.tenant(),
  id uuid NOT NULL,
  at timestamptz NOT NULL,
  event text NOT NULL,
  actor text NOT NULL,
  account_id uuid,
  session_id uuid,
  request_id text,
  address text,
  revision integer,
  details jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX audit_account ON gatehouse.audit (tenant_id, account_id, id DESC) WHERE account_id IS NOT NULL;

-- Row-level security: no tenant set, no rows.
DO $$
DECLARE wanted text;
BEGIN
  FOREACH wanted IN ARRAY ARRAY['policy_revision', 'data_key', 'signing_key', 'secret', 'account', 'unique_value',
    'credential', 'session', 'refresh_token', 'one_time_code', 'limit_counter', 'sign_in_guard', 'outbox', 'audit']
  LOOP
    EXECUTE format('ALTER TABLE gatehouse.%I ENABLE ROW LEVEL SECURITY', wanted);
    EXECUTE format('ALTER TABLE gatehouse.%I FORCE ROW LEVEL SECURITY', wanted);
    EXECUTE format($policy$
      CREATE POLICY tenant ON gatehouse.%I
        USING (tenant_id = (SELECT nullif(current_setting('app.tenant', true), '')::uuid))
        WITH CHECK (tenant_id = (SELECT nullif(current_setting('app.tenant', true), '')::uuid))
      $policy$, wanted);
  END LOOP;
END $$;

-- The server may do what its statements need and no more. What goes with its account goes by ON DELETE CASCADE, which
-- asks for no right; the audit trail and the history of policies are only ever added to.
GRANT SELECT, INSERT, DELETE, UPDATE (display_name, enabled) ON gatehouse.tenant TO gatehouse_app;
GRANT SELECT, INSERT ON gatehouse.audit, gatehouse.policy_revision, gatehouse.data_key TO gatehouse_app;
GRANT SELECT, INSERT, DELETE ON gatehouse.signing_key, gatehouse.unique_value TO gatehouse_app;
GRANT SELECT, INSERT, UPDATE ON gatehouse.credential, gatehouse.session, gatehouse.refresh_token,
  gatehouse.one_time_code, gatehouse.limit_counter, gatehouse.outbox TO gatehouse_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON gatehouse.account, gatehouse.secret, gatehouse.sign_in_guard
  TO gatehouse_app;

-- The jobs role sees, across tenants, what the loader needs at the start and the worker of the outbox.
GRANT SELECT ON gatehouse.tenant, gatehouse.policy_revision, gatehouse.data_key, gatehouse.signing_key
  TO gatehouse_jobs;
GRANT SELECT, UPDATE ON gatehouse.outbox TO gatehouse_jobs;
CREATE POLICY jobs ON gatehouse.policy_revision FOR SELECT TO gatehouse_jobs USING (true);
CREATE POLICY jobs ON gatehouse.data_key FOR SELECT TO gatehouse_jobs USING (true);
CREATE POLICY jobs ON gatehouse.signing_key FOR SELECT TO gatehouse_jobs USING (true);
CREATE POLICY jobs ON gatehouse.outbox TO gatehouse_jobs USING (true) WITH CHECK (true);

-- Removes the tenant that is set, with everything in it. It runs as the owner, whom the row-level security binds too:
-- it can reach no other tenant.
CREATE FUNCTION gatehouse.erase_tenant() RETURNS void LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = gatehouse, pg_temp AS $$
BEGIN
  DELETE FROM account;
  DELETE FROM one_time_code;
  DELETE FROM limit_counter;
  DELETE FROM sign_in_guard;
  DELETE FROM outbox;
  DELETE FROM audit;
  DELETE FROM secret;
  DELETE FROM signing_key;
  DELETE FROM data_key;
  DELETE FROM policy_revision;
END $$;
REVOKE ALL ON FUNCTION gatehouse.erase_tenant() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION gatehouse.erase_tenant() TO gatehouse_app;
