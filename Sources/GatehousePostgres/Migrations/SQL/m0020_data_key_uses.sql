-- How often a data key sealed, as far as servers have told: they add their counts once a minute. What was sealed before is not known.
ALTER TABLE gatehouse.data_key ADD COLUMN uses bigint NOT NULL DEFAULT 0;
GRANT UPDATE (uses) ON gatehouse.data_key TO gatehouse_app;
