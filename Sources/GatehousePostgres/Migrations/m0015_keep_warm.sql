-- Tokens of a provider in the order in which they end, for the job that refreshes them before.
CREATE INDEX provider_grant_end ON gatehouse.provider_grant (tenant_id, provider, expires_at);
