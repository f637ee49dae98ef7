-- The last requests of sessions, which servers collect and write for all tenants at once. The jobs role finds a session by its id, a
-- name that opens nothing; whose session it is, its device and its push token stay out of that role's sight.
GRANT SELECT (id, last_seen_at), UPDATE (last_seen_at) ON gatehouse.session TO gatehouse_jobs;
