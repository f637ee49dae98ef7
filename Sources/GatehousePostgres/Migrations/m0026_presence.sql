-- The last requests of sessions, which servers collect and write for all tenants at once.
GRANT SELECT (id, last_seen_at), UPDATE (last_seen_at) ON gatehouse.session TO gatehouse_jobs;
