-- The servers that run on this database, each with the words of the policy language that it can read: a policy with another word is
-- served by none of them before it is upgraded. A server notes itself once a minute and removes its row when it stops.
CREATE TABLE gatehouse.server (
  id uuid PRIMARY KEY,
  -- The name of its machine.
  name text NOT NULL CHECK (octet_length(name) BETWEEN 1 AND 255),
  version text NOT NULL CHECK (octet_length(version) BETWEEN 1 AND 64),
  vocabulary text[] NOT NULL CHECK (cardinality(vocabulary) <= 5000),
  started_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE (seen_at), DELETE ON gatehouse.server TO gatehouse_app;
