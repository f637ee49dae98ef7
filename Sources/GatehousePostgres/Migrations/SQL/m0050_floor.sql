-- The floor of the installation, which bounds the policies of all tenants: the newest revision is in force, in every process that applies
-- a policy. A revision without a text removes it. The server's role adds revisions, and changes and deletes none.
CREATE TABLE gatehouse.floor_revision (
  number integer PRIMARY KEY CHECK (number > 0),
  text text CHECK (octet_length(text) <= 1048576),
  file text NOT NULL CHECK (octet_length(file) <= 4096),
  author text NOT NULL CHECK (octet_length(author) <= 200),
  reason text NOT NULL CHECK (octet_length(reason) <= 2000),
  created_at timestamptz NOT NULL
);
GRANT SELECT, INSERT ON gatehouse.floor_revision TO gatehouse_app;
