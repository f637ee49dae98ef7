-- A refresh that was cut off is repeated under the key that it was sent with, however late, until its successor is exchanged.
ALTER TABLE gatehouse.refresh_token
  -- SHA-256 over the token and the Idempotency-Key of its exchange; without a key NULL, which no key matches.
  ADD COLUMN retry_digest bytea CHECK (octet_length(retry_digest) = 32),
  -- The token whose exchange made this one: the exchange of this one finds it by its key, and erases what was sealed there.
  ADD COLUMN predecessor_hash bytea,
  -- Whether the successor was exchanged as well. Rows that were spent before this column count as such: none of them can be repeated
  -- late. (A constant default writes no row; an exchange sets its own row to false.)
  ADD COLUMN superseded boolean NOT NULL DEFAULT true;
ALTER TABLE gatehouse.refresh_token ALTER COLUMN superseded SET DEFAULT false;

-- The sweep finds what it takes and nothing else: a session that lives keeps its sealed successor and its last spent token for as
-- long as a year, and a sweep that walked past them would read all of them each minute.
DROP INDEX gatehouse.refresh_token_sealed;
DROP INDEX gatehouse.refresh_token_age;
CREATE INDEX refresh_token_sealed ON gatehouse.refresh_token (spent_at)
  WHERE sealed_successor IS NOT NULL AND retry_digest IS NULL;
CREATE INDEX refresh_token_superseded ON gatehouse.refresh_token (spent_at) WHERE superseded AND spent_at IS NOT NULL;

GRANT SELECT (retry_digest, superseded) ON gatehouse.refresh_token TO gatehouse_jobs;

-- As in m0002, but for 'successors' and 'refresh_tokens'. Every condition stands twice: the inner one finds the rows, the outer one
-- is judged again when a row changed meanwhile. Of these two the outer one has what may change and no more, so that the rows are
-- fetched by their place and a long backlog is not walked anew for each batch.
CREATE OR REPLACE FUNCTION gatehouse.prune(batch integer) RETURNS TABLE (kind text, pruned bigint) LANGUAGE plpgsql
  SET search_path = gatehouse, pg_temp AS $$
DECLARE moment timestamptz := gatehouse.now();
BEGIN
  -- No policy allows a grace of more than 30 seconds. What was exchanged under a key waits for its successor's exchange.
  kind := 'successors';
  UPDATE refresh_token SET sealed_successor = NULL
  WHERE ctid = ANY (ARRAY(SELECT ctid FROM refresh_token
    WHERE sealed_successor IS NOT NULL AND retry_digest IS NULL AND spent_at < moment - interval '1 minute' LIMIT batch))
    AND retry_digest IS NULL AND spent_at IS NOT NULL;
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

  -- Of sessions that live for years: a token whose successor was exchanged as well is, so long after, as good as any unknown
  -- one. A token whose successor is unspent stays with its session.
  kind := 'refresh_tokens';
  DELETE FROM refresh_token
  WHERE ctid = ANY (ARRAY(SELECT ctid FROM refresh_token
    WHERE superseded AND spent_at < moment - interval '30 days' LIMIT batch))
    AND superseded;
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
