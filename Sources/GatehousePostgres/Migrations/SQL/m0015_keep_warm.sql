-- Tokens of providers in the order in which they end, for the job that refreshes them before. Not by provider: of a provider that the
-- planner never saw it expects no rows, and would take this index for looking up one person's grant.
CREATE INDEX provider_grant_end ON gatehouse.provider_grant (tenant_id, expires_at);
