-- An admin token remembers the token that made it, and goes with it. The server's role makes, finds and revokes tokens by functions
-- of the owner, which ask what the asking token may do: its SHA-256 is the proof. Rights of the server's role on the table itself
-- stay for servers of the release before. The next release revokes them: INSERT, UPDATE, and SELECT of `hash`.

-- NULL: made at the console, or before this migration, when `created_by` named tokens and users of the operating system alike.
-- No foreign key: no row is ever deleted, and a dump of the data alone can be restored.
ALTER TABLE gatehouse.admin_token ADD COLUMN made_by uuid;
CREATE INDEX admin_token_made_by ON gatehouse.admin_token (made_by) WHERE made_by IS NOT NULL;

-- The live token with this hash, if it may make and revoke tokens with these scopes and tenants. Its row stays locked: its revocation
-- waits for what it makes, or is seen here. Without a hash the login itself has to be the owner's: that is the console.
CREATE FUNCTION gatehouse.asking_admin_token(asking bytea, wanted_scopes text[], wanted_tenants uuid[])
  RETURNS gatehouse.admin_token LANGUAGE plpgsql SET search_path = gatehouse, pg_temp AS $$
DECLARE found_token admin_token;
BEGIN
  IF asking IS NULL THEN
    PERFORM require(pg_has_role(session_user, 'gatehouse_owner', 'MEMBER'), 'asking_token_reaches');
    RETURN NULL;
  END IF;
  SELECT * INTO found_token FROM admin_token
  WHERE hash = asking AND revoked_at IS NULL AND expires_at > gatehouse.now() FOR SHARE;
  PERFORM require(FOUND, 'asking_token_is_live');
  PERFORM require(
    'token:write' = ANY (found_token.scopes)
      AND (found_token.tenants IS NULL OR wanted_tenants <@ found_token.tenants)
      AND NOT EXISTS (
        SELECT FROM unnest(wanted_scopes) AS wanted (scope)
        -- A writing scope includes its reading half.
        WHERE scope <> ALL (found_token.scopes) AND regexp_replace(scope, ':read$', ':write') <> ALL (found_token.scopes)),
    'asking_token_reaches');
  RETURN found_token;
END $$;

-- The token with this hash in whatever state, without the hash.
CREATE FUNCTION gatehouse.admin_token_of(asking bytea)
  RETURNS TABLE (id uuid, name text, scopes text[], tenants uuid[], created_at timestamptz, created_by text,
    expires_at timestamptz, last_used_at timestamptz, revoked_at timestamptz)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = gatehouse, pg_temp AS $$
  SELECT t.id, t.name, t.scopes, t.tenants, t.created_at, t.created_by, t.expires_at, t.last_used_at, t.revoked_at
  FROM admin_token AS t WHERE t.hash = asking
$$;

-- Notes that the token with this hash is used now.
CREATE FUNCTION gatehouse.note_admin_token_use(asking bytea) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = gatehouse, pg_temp AS $$
  UPDATE admin_token SET last_used_at = gatehouse.now() WHERE hash = asking
$$;

-- A new token. It lives no longer than its maker.
CREATE FUNCTION gatehouse.make_admin_token(asking bytea, new_id uuid, new_name text, new_hash bytea, new_scopes text[],
    new_tenants uuid[], new_created_at timestamptz, new_created_by text, new_expires_at timestamptz)
  RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = gatehouse, pg_temp AS $$
DECLARE maker admin_token := asking_admin_token(asking, new_scopes, new_tenants);
BEGIN
  INSERT INTO admin_token (id, name, hash, scopes, tenants, created_at, created_by, expires_at, made_by)
  VALUES (new_id, new_name, new_hash, new_scopes, new_tenants, new_created_at, coalesce(maker.name, new_created_by),
    least(new_expires_at, maker.expires_at), maker.id);
END $$;

-- Revokes a token with all that it made, and what those made. The names of those that ended now, the first one's included; their ids
-- are in `app.revoked_tokens` until the transaction ends.
CREATE FUNCTION gatehouse.revoke_admin_token(asking bytea, target uuid) RETURNS TABLE (revoked_name text)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = gatehouse, pg_temp AS $$
DECLARE
  its admin_token;
  makers uuid[] := ARRAY[target];
  ended uuid[] := ARRAY[target];
BEGIN
  SELECT * INTO its FROM admin_token WHERE id = target;
  PERFORM asking_admin_token(asking, its.scopes, its.tenants);
  UPDATE admin_token SET revoked_at = gatehouse.now() WHERE id = target AND revoked_at IS NULL;
  PERFORM require(FOUND, 'token_is_live');
  -- One generation after the other. A token that is being made holds its maker's row, so that each statement sees all that the
  -- makers, which are revoked by now, will ever have made.
  WHILE cardinality(makers) > 0 LOOP
    WITH done AS (
      UPDATE admin_token SET revoked_at = gatehouse.now() WHERE made_by = ANY (makers) AND revoked_at IS NULL RETURNING id)
    SELECT ended || coalesce(array_agg(id), '{}') INTO ended FROM done;
    makers := ARRAY(SELECT id FROM admin_token WHERE made_by = ANY (makers));
  END LOOP;
  PERFORM set_config('app.revoked_tokens', array_to_string(ended, ','), true);
  RETURN QUERY SELECT name FROM admin_token WHERE id = ANY (ended) ORDER BY name;
END $$;

REVOKE ALL ON FUNCTION gatehouse.asking_admin_token(bytea, text[], uuid[]), gatehouse.admin_token_of(bytea),
  gatehouse.note_admin_token_use(bytea),
  gatehouse.make_admin_token(bytea, uuid, text, bytea, text[], uuid[], timestamptz, text, timestamptz),
  gatehouse.revoke_admin_token(bytea, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION gatehouse.admin_token_of(bytea), gatehouse.note_admin_token_use(bytea),
  gatehouse.make_admin_token(bytea, uuid, text, bytea, text[], uuid[], timestamptz, text, timestamptz),
  gatehouse.revoke_admin_token(bytea, uuid) TO gatehouse_app;
