-- The logo of a tenant, as its pages show it: one picture, replaced as a whole. Its hash is its name in addresses.
CREATE TABLE gatehouse.tenant_logo (
  tenant_id uuid NOT NULL DEFAULT gatehouse.tenant() PRIMARY KEY,
  media_type text NOT NULL CHECK (media_type IN ('image/svg+xml', 'image/png')),
  content bytea NOT NULL CHECK (octet_length(content) BETWEEN 1 AND 32768),
  size integer NOT NULL,
  sha256 bytea NOT NULL,
  set_at timestamptz NOT NULL,
  CONSTRAINT tenant_logo_content CHECK (size = octet_length(content) AND sha256 = pg_catalog.sha256(content))
);
SELECT gatehouse.protect_tenant_table('tenant_logo');
SELECT gatehouse.teach_statistics(ARRAY[['tenant_logo',
  '(tenant_id, media_type, content, size, sha256, set_at) SELECT id, ''image/png'', hash, 32, sha256(hash), moment FROM sample']]);
GRANT SELECT, INSERT, UPDATE, DELETE ON gatehouse.tenant_logo TO gatehouse_app;

-- The loader sees, across tenants, that there is a logo and which; the content is read by its tenant alone.
GRANT SELECT (tenant_id, media_type, size, sha256, set_at) ON gatehouse.tenant_logo TO gatehouse_jobs;
CREATE POLICY jobs ON gatehouse.tenant_logo FOR SELECT TO gatehouse_jobs USING (true);
