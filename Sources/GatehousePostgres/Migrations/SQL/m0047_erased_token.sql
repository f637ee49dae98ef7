-- The refresh tokens of accounts that were erased. A device that presents one learns that its session is over, as after a sign-out
-- elsewhere, and not that its token is unknown. A row holds the hash of a random token and the client that had it, and nothing of the
-- person. It lives as long as the row of a session that ended.
CREATE TABLE gatehouse.erased_token (
  tenant_id uuid NOT NULL DEFAULT gatehouse.tenant(),
  hash bytea NOT NULL CHECK (octet_length(hash) = 32),
  client text COLLATE "C" NOT NULL,
  erased_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, hash)
);
CREATE INDEX erased_token_age ON gatehouse.erased_token (erased_at);
SELECT gatehouse.protect_tenant_table('erased_token');
SELECT gatehouse.teach_statistics(ARRAY[['erased_token',
  '(tenant_id, hash, client, erased_at) SELECT id, hash, name, moment FROM sample']]);
GRANT SELECT ON gatehouse.erased_token TO gatehouse_app;
GRANT SELECT (ctid, tenant_id, erased_at), DELETE ON gatehouse.erased_token TO gatehouse_jobs;
CREATE POLICY jobs ON gatehouse.erased_token TO gatehouse_jobs USING (true) WITH CHECK (true);

INSERT INTO gatehouse.prunable (place, kind, relation, clears, due, still, tells) VALUES
  (55, 'erased_tokens', 'erased_token', NULL, 'erased_at < $1 - interval ''30 days''', NULL, NULL);

-- As in m0009, but for the tokens. A superseded token was replaced, and its successor too: no device holds it any more.
CREATE OR REPLACE FUNCTION gatehouse.erase_account(person uuid) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
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
  INSERT INTO erased_token (hash, client, erased_at)
    SELECT refresh_token.hash, session.client, gatehouse.now()
    FROM session JOIN refresh_token ON refresh_token.session_id = session.id
    WHERE session.account_id = person AND NOT refresh_token.superseded
    ON CONFLICT DO NOTHING;
  DELETE FROM account WHERE id = person;
  -- One statement for each of the two indices.
  UPDATE audit_link SET salt = NULL WHERE audit_id IN (SELECT id FROM audit WHERE account_id = person);
  UPDATE audit_link SET salt = NULL
  WHERE audit_id IN (SELECT id FROM audit WHERE actor = acting AND actor LIKE 'administrator:%');
  UPDATE audit SET address = NULL, request_id = NULL, details = '{}' WHERE account_id = person;
  UPDATE audit SET address = NULL, request_id = NULL, details = '{}'
  WHERE actor = acting AND actor LIKE 'administrator:%';
END $$;
