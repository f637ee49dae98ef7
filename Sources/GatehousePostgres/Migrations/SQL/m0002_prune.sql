-- The sweep: what has no use any more goes, for all tenants at once, a bounded number of rows at a time. It runs as the
-- jobs role, which sees no more of these tables than what it judges by: no address, no hash of a token or password.

GRANT SELECT (ctid, tenant_id, created_at, expires_at, idle_expires_at, ended_at), DELETE ON gatehouse.session
  TO gatehouse_jobs;
GRANT SELECT (ctid, tenant_id, created_at, spent_at, sealed_successor), UPDATE (sealed_successor), DELETE
  ON gatehouse.refresh_token TO gatehouse_jobs;
GRANT SELECT (ctid, tenant_id, created_at, token_expires_at, code_expires_at, sealed_payload),
  UPDATE (sealed_payload), DELETE ON gatehouse.one_time_code TO gatehouse_jobs;
GRANT SELECT (ctid, tenant_id, window_end), DELETE ON gatehouse.limit_counter TO gatehouse_jobs;
GRANT SELECT (ctid, tenant_id, failures, updated_at), DELETE ON gatehouse.sign_in_guard TO gatehouse_jobs;
GRANT DELETE ON gatehouse.outbox TO gatehouse_jobs;
CREATE POLICY jobs ON gatehouse.session TO gatehouse_jobs USING (true) WITH CHECK (true);
CREATE POLICY jobs ON gatehouse.refresh_token TO gatehouse_jobs USING (true) WITH CHECK (true);
CREATE POLICY jobs ON gatehouse.one_time_code TO gatehouse_jobs USING (true) WITH CHECK (true);
CREATE POLICY jobs ON gatehouse.limit_counter TO gatehouse_jobs USING (true) WITH CHECK (true);
CREATE POLICY jobs ON gatehouse.sign_in_guard TO gatehouse_jobs USING (true) WITH CHECK (true);

-- One round of the sweep, at most `batch` rows of each kind; says how many of each. Every condition stands twice: the
-- inner one finds the rows, the outer one is judged again when a row changed meanwhile.
CREATE FUNCTION gatehouse.prune(batch integer) RETURNS TABLE (kind text, pruned bigint) LANGUAGE plpgsql
  SET search_path = gatehouse, pg_temp AS $$
DECLARE moment timestamptz := gatehouse.now();
BEGIN
  -- No policy allows a grace of more than 30 seconds.
  kind := 'successors';
  UPDATE refresh_token SET sealed_successor = NULL
  WHERE ctid = ANY (ARRAY(SELECT ctid FROM refresh_token
    WHERE sealed_successor IS NOT NULL AND spent_at < moment - interval '1 minute' LIMIT batch))
    AND sealed_successor IS NOT NULL AND spent_at < moment - interval '1 minute';
  GET DIAGNOSTICS pruned = ROW_COUNT;
  RETURN NEXT;

  kind := 'payloads';
  UPDATE one_time_code SET sealed_payload = NULL
  WHERE ctid = ANY (ARRAY(SELECT ctid FROM one_time_code
    WHERE sealed_payload IS NOT NULL AND greatest(token_expires_at, code_expires_at) <= moment LIMIT batch))
    AND sealed_payload IS NOT NULL AND greatest(token_expires_at, code_expires_at) <= moment;
  GET DIAGNOSTICS pruned = ROW_COUNT;
  RETURN NEXT;

  -- A code is known for a day after its end, so that it answers "expired" or "used" rather than "unknown".
  kind := 'codes';
  DELETE FROM one_time_code
  WHERE ctid = ANY (ARRAY(SELECT ctid FROM one_time_code
    WHERE created_at < moment - interval '1 day'
    AND greatest(token_expires_at, code_expires_at) < moment - interval '1 day' LIMIT batch))
    AND created_at < moment - interval '1 day'
    AND greatest(token_expires_at, code_expires_at) < moment - interval '1 day';
  GET DIAGNOSTICS pruned = ROW_COUNT;
  RETURN NEXT;

  -- Its refresh tokens go with a session: until then their replay is recognised.
  kind := 'sessions';
  DELETE FROM session
  WHERE ctid = ANY (ARRAY(SELECT ctid FROM session
    WHERE created_at < moment - interval '30 days'
    AND least(ended_at, expires_at, idle_expires_at) < moment - interval '30 days' LIMIT batch))
    AND created_at < moment - interval '30 days'
    AND least(ended_at, expires_at, idle_expires_at) < moment - interval '30 days';
  GET DIAGNOSTICS pruned = ROW_COUNT;
  RETURN NEXT;

  -- Of sessions that live for years: a token spent so long ago is as good as any unknown one.
  kind := 'refresh_tokens';
  DELETE FROM refresh_token
  WHERE ctid = ANY (ARRAY(SELECT ctid FROM refresh_token
    WHERE created_at < moment - interval '30 days' AND spent_at < moment - interval '30 days' LIMIT batch))
    AND created_at < moment - interval '30 days' AND spent_at < moment - interval '30 days';
  GET DIAGNOSTICS pruned = ROW_COUNT;
  RETURN NEXT;

  kind := 'limit_counters';
  DELETE FROM limit_counter
  WHERE ctid = ANY (ARRAY(SELECT ctid FROM limit_counter
    WHERE window_end <= moment LIMIT batch))
    AND window_end <= moment;
  GET DIAGNOSTICS pruned = ROW_COUNT;
  RETURN NEXT;

  -- A disabled password stays disabled; a few failures are forgotten after a quarter without any attempt.
  kind := 'sign_in_guards';
  DELETE FROM sign_in_guard
  WHERE ctid = ANY (ARRAY(SELECT ctid FROM sign_in_guard
    WHERE failures < 100 AND updated_at < moment - interval '90 days' LIMIT batch))
    AND failures < 100 AND updated_at < moment - interval '90 days';
  GET DIAGNOSTICS pruned = ROW_COUNT;
  RETURN NEXT;

  kind := 'mails';
  DELETE FROM outbox
  WHERE ctid = ANY (ARRAY(SELECT ctid FROM outbox
    WHERE created_at < moment - interval '7 days'
    AND coalesce(delivered_at, given_up_at) < moment - interval '7 days' LIMIT batch))
    AND created_at < moment - interval '7 days'
    AND coalesce(delivered_at, given_up_at) < moment - interval '7 days';
  GET DIAGNOSTICS pruned = ROW_COUNT;
  RETURN NEXT;
END $$;
REVOKE ALL ON FUNCTION gatehouse.prune(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION gatehouse.prune(integer) TO gatehouse_jobs;
