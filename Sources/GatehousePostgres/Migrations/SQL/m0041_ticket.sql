-- What waits for a second request: of a person who comes back from a provider, of an app that redeems a code, of a second factor.
-- A purpose says how long its tickets wait, and whether the row of one that is taken goes, or is marked and goes later.
--
-- The account is locked before the tables that the rows come from, as requests lock them.
LOCK TABLE gatehouse.account, gatehouse.provider_flow, gatehouse.hand_back IN ACCESS EXCLUSIVE MODE;

CREATE TABLE gatehouse.ticket (
  tenant_id uuid NOT NULL DEFAULT gatehouse.tenant(),
  -- SHA-256 of the token that its holder presents.
  hash bytea NOT NULL CHECK (octet_length(hash) = 32),
  purpose text NOT NULL,
  -- The provider that the payload is sealed for.
  provider text COLLATE "C",
  account_id uuid,
  session_id uuid,
  -- The client that it is for.
  client_id text COLLATE "C",
  -- SHA-256 of what the one who began holds: a cookie of a browser, or the challenge of an app.
  holder_hash bytea CHECK (octet_length(holder_hash) = 32),
  -- A short code that a person types at another device.
  user_code text COLLATE "C",
  -- The epoch of the account that it rests on.
  epoch bigint,
  state text NOT NULL DEFAULT 'waiting',
  attempts integer NOT NULL DEFAULT 0,
  sealed_payload bytea,
  created_at timestamptz NOT NULL,
  -- The end of its time; of a spent one the end of its memory.
  expires_at timestamptz NOT NULL,
  spent_at timestamptz,
  PRIMARY KEY (tenant_id, hash),
  CONSTRAINT ticket_account FOREIGN KEY (tenant_id, account_id)
    REFERENCES gatehouse.account (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX ticket_of_account ON gatehouse.ticket (tenant_id, account_id) WHERE account_id IS NOT NULL;
CREATE INDEX ticket_of_session ON gatehouse.ticket (tenant_id, session_id) WHERE session_id IS NOT NULL;
CREATE INDEX ticket_expiry ON gatehouse.ticket (expires_at);
SELECT gatehouse.protect_tenant_table('ticket');
SELECT gatehouse.teach_statistics(ARRAY[['ticket',
  '(tenant_id, hash, purpose, provider, account_id, session_id, client_id, holder_hash, sealed_payload, created_at, expires_at)
    SELECT id, hash, ''sign_in'', ''spotify'', id, id, name, hash, hash, moment, moment FROM sample']]);
GRANT SELECT, INSERT, DELETE, UPDATE (attempts, expires_at, spent_at) ON gatehouse.ticket TO gatehouse_app;
GRANT SELECT (ctid, tenant_id, expires_at), DELETE ON gatehouse.ticket TO gatehouse_jobs;
CREATE POLICY jobs ON gatehouse.ticket TO gatehouse_jobs USING (true) WITH CHECK (true);

-- Rows that wait, as the release before kept them.
CREATE POLICY copy ON gatehouse.provider_flow FOR SELECT TO gatehouse_owner USING (true);
CREATE POLICY copy ON gatehouse.hand_back FOR SELECT TO gatehouse_owner USING (true);
CREATE POLICY copy ON gatehouse.ticket TO gatehouse_owner USING (true) WITH CHECK (true);
INSERT INTO gatehouse.ticket (tenant_id, hash, purpose, provider, account_id, session_id, client_id, holder_hash, sealed_payload,
    created_at, expires_at)
  SELECT tenant_id, state_hash, purpose, provider, account_id, session_id, tenant.name, holder_hash, sealed_payload,
    provider_flow.created_at, expires_at
  FROM gatehouse.provider_flow JOIN gatehouse.tenant ON tenant.id = tenant_id
  UNION ALL
  SELECT tenant_id, code_hash, 'authorization_code', NULL, account_id, session_id, tenant.name, challenge_hash, NULL,
    hand_back.created_at, expires_at
  FROM gatehouse.hand_back JOIN gatehouse.tenant ON tenant.id = tenant_id;
DROP POLICY copy ON gatehouse.ticket;
DROP TABLE gatehouse.provider_flow, gatehouse.hand_back;

DELETE FROM gatehouse.prunable WHERE relation IN ('provider_flow', 'hand_back');
INSERT INTO gatehouse.prunable (place, kind, relation, clears, due, still, tells) VALUES
  (120, 'tickets', 'ticket', NULL, 'expires_at <= $1', NULL, NULL);

-- Servers of the release before go on beside this schema: what begins at one is finished at another. They know tickets by these
-- names and columns, and name neither client nor, of codes, purpose. Row-level security is that of the table, for the role that asks.
-- The next release drops the views and the function.
CREATE FUNCTION gatehouse.own_client() RETURNS text LANGUAGE sql STABLE SET search_path = gatehouse, pg_temp AS
  $$ SELECT name FROM tenant WHERE id = tenant() $$;
CREATE VIEW gatehouse.provider_flow WITH (security_invoker = true) AS
  SELECT ctid, tenant_id, hash AS state_hash, provider, purpose, holder_hash, account_id, session_id, sealed_payload, created_at,
    expires_at, client_id
  FROM gatehouse.ticket WHERE purpose IN ('sign_in', 'hand_back', 'link');
ALTER VIEW gatehouse.provider_flow ALTER COLUMN client_id SET DEFAULT gatehouse.own_client();
CREATE VIEW gatehouse.hand_back WITH (security_invoker = true) AS
  SELECT tenant_id, hash AS code_hash, account_id, session_id, holder_hash AS challenge_hash, created_at, expires_at, purpose,
    client_id
  FROM gatehouse.ticket WHERE purpose = 'authorization_code';
ALTER VIEW gatehouse.hand_back ALTER COLUMN purpose SET DEFAULT 'authorization_code',
  ALTER COLUMN client_id SET DEFAULT gatehouse.own_client();
GRANT SELECT, INSERT, DELETE ON gatehouse.provider_flow, gatehouse.hand_back TO gatehouse_app;
