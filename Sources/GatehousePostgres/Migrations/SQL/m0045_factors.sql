-- The names of the second factors that an account has, in the order in which they are offered: a sign-in reads them with the account and
-- asks for one of them. The statements that enrol or remove a factor write them in the same transaction. No release so far does.
--
-- A factor more or less raises the epoch: a sign-in that looked at the account before begins no session after it.
ALTER TABLE gatehouse.account ADD COLUMN factors text[] COLLATE "C" NOT NULL DEFAULT '{}';

CREATE TRIGGER epoch_of_factors BEFORE UPDATE OF factors ON gatehouse.account
  FOR EACH ROW WHEN (OLD.factors IS DISTINCT FROM NEW.factors) EXECUTE FUNCTION gatehouse.raise_epoch();
