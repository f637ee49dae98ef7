-- Limits that count wrong guesses of a network address delay instead of refusing: the next count waits until then.
ALTER TABLE gatehouse.limit_counter ADD COLUMN blocked_until timestamptz NOT NULL DEFAULT '-infinity';
