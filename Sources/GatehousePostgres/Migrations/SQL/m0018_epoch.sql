-- What a request looked at before it wrote. `epoch` rises whenever what opens an account changes, whoever changes it: a trigger asks,
-- so that neither a feature nor an older server can forget. A stronger hash of the same password raises nothing.
ALTER TABLE gatehouse.account ADD COLUMN epoch bigint NOT NULL DEFAULT 0;

CREATE FUNCTION gatehouse.raise_epoch() RETURNS trigger LANGUAGE plpgsql SET search_path = gatehouse, pg_temp AS $$
BEGIN
  NEW.epoch := OLD.epoch + 1;
  RETURN NEW;
END $$;

-- Every statement that names this column sets a password or removes it, also within the same microsecond.
CREATE TRIGGER epoch_of_password BEFORE UPDATE OF password_changed_at ON gatehouse.account
  FOR EACH ROW EXECUTE FUNCTION gatehouse.raise_epoch();
CREATE TRIGGER epoch_of_state BEFORE UPDATE OF email, disabled_at ON gatehouse.account
  FOR EACH ROW WHEN (OLD.email IS DISTINCT FROM NEW.email OR OLD.disabled_at IS DISTINCT FROM NEW.disabled_at)
  EXECUTE FUNCTION gatehouse.raise_epoch();

CREATE FUNCTION gatehouse.raise_epoch_of_owner() RETURNS trigger LANGUAGE plpgsql SET search_path = gatehouse, pg_temp AS $$
BEGIN
  UPDATE account SET epoch = epoch + 1
  WHERE tenant_id = coalesce(NEW.tenant_id, OLD.tenant_id) AND id = coalesce(NEW.account_id, OLD.account_id);
  RETURN NULL;
END $$;

CREATE TRIGGER epoch_of_identity AFTER INSERT OR DELETE ON gatehouse.provider_identity
  FOR EACH ROW EXECUTE FUNCTION gatehouse.raise_epoch_of_owner();
CREATE TRIGGER epoch_of_credential AFTER DELETE ON gatehouse.credential
  FOR EACH ROW EXECUTE FUNCTION gatehouse.raise_epoch_of_owner();

-- The session that asked for a change of address: with it no other proof is needed to confirm.
ALTER TABLE gatehouse.one_time_code ADD COLUMN session_id uuid;

-- When mail of the address was last shown to be read: identities that were linked since go with a reset. NULL: at email_verified_at.
ALTER TABLE gatehouse.account ADD COLUMN mail_proven_at timestamptz;
