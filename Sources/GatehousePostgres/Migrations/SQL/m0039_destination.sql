-- What is kept for providers (secrets, grants, orders to give one back) is sealed with where it may go; what was sealed before is
-- bound by a job. SQL cannot seal. The revision that is live now is pinned: an item that is not bound yet belongs where this revision
-- leads, whatever is applied meanwhile. NULL once everything is bound. A server of the release before makes a tenant with revision 1.
ALTER TABLE gatehouse.tenant ADD COLUMN pinned_revision integer DEFAULT 1 CHECK (pinned_revision > 0);
CREATE POLICY pinning ON gatehouse.policy_revision FOR SELECT TO gatehouse_owner USING (true);
UPDATE gatehouse.tenant SET pinned_revision = newest.number
  FROM (SELECT tenant_id, max(number) AS number FROM gatehouse.policy_revision GROUP BY tenant_id) AS newest
  WHERE newest.tenant_id = tenant.id;
DROP POLICY pinning ON gatehouse.policy_revision;
GRANT UPDATE (pinned_revision) ON gatehouse.tenant TO gatehouse_app;

-- What is left for the job; empty soon. A bound value begins with a 2.
CREATE INDEX provider_grant_unbound ON gatehouse.provider_grant (tenant_id) WHERE substr(sealed_tokens, 1, 1) <> '\x02'::bytea;
-- Links that may heal: few at any time.
CREATE INDEX provider_identity_broken ON gatehouse.provider_identity (tenant_id, provider) WHERE state = 'broken';
