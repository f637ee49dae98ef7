-- The code that a waiting mail carries, and the seconds that its link and its digits are good for once the mail was sent. Until then
-- the code has the time that its mail may wait, and these seconds besides.
ALTER TABLE gatehouse.outbox ADD COLUMN code_id uuid, ADD COLUMN link_seconds bigint, ADD COLUMN code_seconds bigint;
