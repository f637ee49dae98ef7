-- Host names of tenants. A host is one tenant's in the whole installation, so the table has no row-level security: what it
-- holds is public by its nature, and the operators' alone to change.
CREATE TABLE gatehouse.tenant_host (
  host text COLLATE "C" PRIMARY KEY,
  tenant uuid NOT NULL CONSTRAINT tenant_host_tenant REFERENCES gatehouse.tenant (id) ON DELETE CASCADE,
  -- What the host must answer before it counts.
  proof text COLLATE "C" NOT NULL,
  added_at timestamptz NOT NULL,
  verified_at timestamptz
);
CREATE INDEX tenant_host_of_tenant ON gatehouse.tenant_host (tenant);
GRANT SELECT, INSERT, DELETE, UPDATE (verified_at) ON gatehouse.tenant_host TO gatehouse_app;
GRANT SELECT ON gatehouse.tenant_host TO gatehouse_jobs;
