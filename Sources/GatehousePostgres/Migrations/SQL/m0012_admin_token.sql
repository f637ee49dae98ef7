-- Tokens of the admin API. They belong to no tenant: one may reach several tenants, or all, and is looked up before anybody
-- knows for which. A row stays when its token has ended, so that the name in audit trails keeps its meaning.
CREATE TABLE gatehouse.admin_token (
  id uuid PRIMARY KEY,
  name text COLLATE "C" NOT NULL CONSTRAINT admin_token_name_unique UNIQUE,
  -- SHA-256 of what the bearer shows; that has 256 random bits.
  hash bytea NOT NULL CONSTRAINT admin_token_hash_unique UNIQUE CHECK (octet_length(hash) = 32),
  scopes text[] NOT NULL CHECK (cardinality(scopes) > 0),
  -- NULL is all of them. No foreign key: the id of a tenant that went is never used again.
  tenants uuid[] CHECK (cardinality(tenants) > 0),
  created_at timestamptz NOT NULL,
  created_by text NOT NULL,
  expires_at timestamptz NOT NULL,
  last_used_at timestamptz,
  revoked_at timestamptz
);

-- What a token may do is decided when it is made: the server can note its use and end it, and nothing else.
GRANT SELECT, INSERT, UPDATE (last_used_at, revoked_at) ON gatehouse.admin_token TO gatehouse_app;
