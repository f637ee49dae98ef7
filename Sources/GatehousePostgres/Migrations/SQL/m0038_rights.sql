-- What a revision changed of whom its tenant trusts.
ALTER TABLE gatehouse.policy_revision ADD COLUMN trust text[] NOT NULL DEFAULT '{}';

-- By which scopes an endpoint is shown fields of people: those that its maker had. Null where a server made it that kept
-- none.
ALTER TABLE gatehouse.webhook_endpoint ADD COLUMN shown_by text[];
