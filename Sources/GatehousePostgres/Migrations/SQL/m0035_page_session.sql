-- Sessions of browsers at the hosted pages. They have a cookie in the place of refresh tokens.
ALTER TABLE gatehouse.session
  -- SHA-256 of the cookie's value; NULL: the session of an app.
  ADD COLUMN page_hash bytea CHECK (octet_length(page_hash) = 32);
CREATE UNIQUE INDEX session_page ON gatehouse.session (tenant_id, page_hash) WHERE page_hash IS NOT NULL;

-- Ways from the pages to an app: a code that the app exchanges, once and soon, for a session of its own.
CREATE TABLE gatehouse.hand_back (
  tenant_id uuid NOT NULL DEFAULT gatehouse.tenant(),
  -- SHA-256 of the code.
  code_hash bytea NOT NULL CHECK (octet_length(code_hash) = 32),
  account_id uuid NOT NULL,
  -- The session of the browser, whose proofs the app's session begins with.
  session_id uuid NOT NULL,
  -- SHA-256 of the app's code challenge (RFC 7636).
  challenge_hash bytea NOT NULL CHECK (octet_length(challenge_hash) = 32),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, code_hash),
  CONSTRAINT hand_back_account FOREIGN KEY (tenant_id, account_id)
    REFERENCES gatehouse.account (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX hand_back_of_account ON gatehouse.hand_back (tenant_id, account_id);
CREATE INDEX hand_back_of_session ON gatehouse.hand_back (tenant_id, session_id);
CREATE INDEX hand_back_expiry ON gatehouse.hand_back (expires_at);
SELECT gatehouse.protect_tenant_table('hand_back');
SELECT gatehouse.teach_statistics(ARRAY[['hand_back',
  '(tenant_id, code_hash, account_id, session_id, challenge_hash, created_at, expires_at)
    SELECT id, hash, id, id, hash, moment, moment FROM sample']]);
GRANT SELECT, INSERT, DELETE ON gatehouse.hand_back TO gatehouse_app;
GRANT SELECT (ctid, tenant_id, expires_at), DELETE ON gatehouse.hand_back TO gatehouse_jobs;

INSERT INTO gatehouse.prunable (place, kind, relation, clears, due, still, tells) VALUES
  (180, 'hand_backs', 'hand_back', NULL, 'expires_at <= $1', NULL, NULL);
