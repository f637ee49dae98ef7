-- Dumps of the database that were made and are whole. The role that makes them (`gatehouse db roles --backup`) notes each, and its
-- time is the database's: it chooses only the size. Servers and operators read the age of the newest.
CREATE TABLE gatehouse.backup (
  finished_at timestamptz PRIMARY KEY DEFAULT clock_timestamp(),
  bytes bigint NOT NULL CHECK (bytes > 0)
);
GRANT SELECT ON gatehouse.backup TO gatehouse_app;
-- Where the role comes later, it gets this right when it is made.
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'gatehouse_backup') THEN
    GRANT INSERT (bytes) ON gatehouse.backup TO gatehouse_backup;
  END IF;
END $$;
