-- What decides whether a name is found stands beside the name, so that lookups leave accounts out before they count: 1 for a proven
-- address, 2 for a linked provider, the sum for both, 0 for neither. NULL for a disabled account, which no lookup finds. Triggers keep
-- it, so that neither a feature nor an older server can forget; which of the four are found, the policy says at each lookup.
ALTER TABLE gatehouse.search_key ADD COLUMN standing smallint CHECK (standing BETWEEN 0 AND 3);

CREATE FUNCTION gatehouse.standing(tenant uuid, account uuid) RETURNS smallint LANGUAGE sql STABLE PARALLEL SAFE
  SET search_path = gatehouse, pg_temp AS $$
  SELECT CASE WHEN a.disabled_at IS NULL THEN (a.email_verified_at IS NOT NULL)::integer
      + 2 * (EXISTS (SELECT FROM provider_identity AS p
        WHERE p.tenant_id = a.tenant_id AND p.account_id = a.id AND p.state = 'linked'))::integer
    END::smallint
  FROM account AS a WHERE a.tenant_id = $1 AND a.id = $2
$$;

CREATE OR REPLACE FUNCTION gatehouse.keep_search_keys() RETURNS trigger LANGUAGE plpgsql SET search_path = gatehouse, pg_temp AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM search_key AS k WHERE k.tenant_id = NEW.tenant_id AND k.account_id = NEW.id
      AND NOT EXISTS (SELECT FROM search_keys(NEW.profile) AS n WHERE n.field = k.field AND n.key = k.key);
  END IF;
  INSERT INTO search_key (tenant_id, field, key, account_id, standing)
    SELECT NEW.tenant_id, n.field, n.key, NEW.id, standing(NEW.tenant_id, NEW.id) FROM search_keys(NEW.profile) AS n
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE FUNCTION gatehouse.keep_standing(tenant uuid, account uuid) RETURNS void LANGUAGE sql SET search_path = gatehouse, pg_temp AS $$
  UPDATE search_key AS k SET standing = now.standing FROM (SELECT standing($1, $2)) AS now (standing)
  WHERE k.tenant_id = $1 AND k.account_id = $2 AND k.standing IS DISTINCT FROM now.standing
$$;
CREATE FUNCTION gatehouse.keep_standing_of_account() RETURNS trigger LANGUAGE plpgsql SET search_path = gatehouse, pg_temp AS $$
BEGIN
  PERFORM keep_standing(NEW.tenant_id, NEW.id);
  RETURN NULL;
END $$;
CREATE FUNCTION gatehouse.keep_standing_of_owner() RETURNS trigger LANGUAGE plpgsql SET search_path = gatehouse, pg_temp AS $$
BEGIN
  PERFORM keep_standing(coalesce(NEW.tenant_id, OLD.tenant_id), coalesce(NEW.account_id, OLD.account_id));
  RETURN NULL;
END $$;
CREATE TRIGGER standing_of_account AFTER UPDATE OF email_verified_at, disabled_at ON gatehouse.account
  FOR EACH ROW WHEN ((OLD.email_verified_at IS NULL) <> (NEW.email_verified_at IS NULL)
    OR (OLD.disabled_at IS NULL) <> (NEW.disabled_at IS NULL))
  EXECUTE FUNCTION gatehouse.keep_standing_of_account();
CREATE TRIGGER standing_of_owner AFTER INSERT OR DELETE ON gatehouse.provider_identity
  FOR EACH ROW EXECUTE FUNCTION gatehouse.keep_standing_of_owner();
CREATE TRIGGER standing_of_changed AFTER UPDATE OF state ON gatehouse.provider_identity
  FOR EACH ROW WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION gatehouse.keep_standing_of_owner();
GRANT UPDATE (standing) ON gatehouse.search_key TO gatehouse_app;

-- Names that there are.
CREATE POLICY sample ON gatehouse.account FOR SELECT TO gatehouse_owner USING (true);
CREATE POLICY sample ON gatehouse.provider_identity FOR SELECT TO gatehouse_owner USING (true);
CREATE POLICY sample ON gatehouse.search_key TO gatehouse_owner USING (true) WITH CHECK (true);
UPDATE gatehouse.search_key AS k SET standing = (a.email_verified_at IS NOT NULL)::integer
    + 2 * (EXISTS (SELECT FROM gatehouse.provider_identity AS p
      WHERE p.tenant_id = a.tenant_id AND p.account_id = a.id AND p.state = 'linked'))::integer
  FROM gatehouse.account AS a WHERE a.tenant_id = k.tenant_id AND a.id = k.account_id AND a.disabled_at IS NULL;
DROP POLICY sample ON gatehouse.search_key;
DROP POLICY sample ON gatehouse.provider_identity;
DROP POLICY sample ON gatehouse.account;
CREATE INDEX search_key_found ON gatehouse.search_key (tenant_id, field, standing, key, account_id);

-- A push token belongs to the session that registered it last. The token is sealed, and a keyed digest recognises it. A build that
-- does not know the digest writes tokens without one; a job adds it. A digest goes with its token: what it names would be another's.
ALTER TABLE gatehouse.session ADD COLUMN push_token_digest bytea CHECK (octet_length(push_token_digest) = 32);
CREATE INDEX session_push_token ON gatehouse.session (tenant_id, push_token_digest) WHERE push_token_digest IS NOT NULL;
CREATE INDEX session_without_push_digest ON gatehouse.session (tenant_id, id)
  WHERE sealed_push_token IS NOT NULL AND push_token_digest IS NULL;

CREATE FUNCTION gatehouse.forget_push_digest() RETURNS trigger LANGUAGE plpgsql SET search_path = gatehouse, pg_temp AS $$
BEGIN
  NEW.push_token_digest := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER push_digest_of_other BEFORE UPDATE OF sealed_push_token ON gatehouse.session
  FOR EACH ROW WHEN (OLD.push_token_digest IS NOT NULL AND NEW.sealed_push_token IS DISTINCT FROM OLD.sealed_push_token
    AND NEW.push_token_digest IS NOT DISTINCT FROM OLD.push_token_digest)
  EXECUTE FUNCTION gatehouse.forget_push_digest();
