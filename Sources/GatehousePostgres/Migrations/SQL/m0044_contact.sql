-- A message goes to a contact, by the channel that reaches it. Every message and code of the release before this one went by mail,
-- and that release goes on writing such rows without the new columns.
--
-- A worker of this release takes only rows of channels that its server has. A worker of the release before takes every row that is due.
-- It cannot read an order that names another kind of contact: it sends nothing, and the row waits a quarter of an hour. So the first
-- release that writes rows of a second channel has to follow this one: it must not run beside a server from before this migration.
ALTER TABLE gatehouse.outbox ADD COLUMN channel text COLLATE "C" NOT NULL DEFAULT 'mail';
ALTER TABLE gatehouse.one_time_code ADD COLUMN contact text COLLATE "C" NOT NULL DEFAULT 'email';

-- An account may have no address: account_email_unique holds for those that have one. No way in of this release or of the one before
-- makes an account without, and a server of the release before cannot read one. A release that makes such accounts has to follow this one.
-- The check holds for the rows that there are, since each of them has an address: nothing has to be read for it.
ALTER TABLE gatehouse.account ALTER COLUMN email DROP NOT NULL,
  ADD CONSTRAINT account_proven_address CHECK (email IS NOT NULL OR email_verified_at IS NULL) NOT VALID;
