-- The pictures of a tenant: its logo, the logo for dark ground, the picture behind its pages, and the logos of its providers. Each is
-- replaced as a whole.
ALTER TABLE gatehouse.tenant_logo RENAME TO tenant_picture;
ALTER TABLE gatehouse.tenant_picture ADD COLUMN use text COLLATE "C" NOT NULL DEFAULT 'logo'
  CHECK (use ~ '^(logo|logo_dark|ground|provider:[a-z][a-z0-9_]{0,39})$');
ALTER TABLE gatehouse.tenant_picture DROP CONSTRAINT tenant_logo_pkey,
  ADD CONSTRAINT tenant_picture_pkey PRIMARY KEY (tenant_id, use);
GRANT SELECT (use) ON gatehouse.tenant_picture TO gatehouse_jobs;

-- Servers of the release before go on beside this schema. They read and remove the logo by this name. Where they set one, the
-- operation fails, and succeeds at a server of this release. Row-level security is that of the table, for the role that asks.
-- A view demands its reader's right to each column that it names, and the jobs have none to the content: a function reads that
-- for readers that ask for it. The next release drops both.
CREATE FUNCTION gatehouse.logo_content(tenant uuid) RETURNS bytea LANGUAGE sql STABLE SET search_path = '' AS $$
  SELECT content FROM gatehouse.tenant_picture WHERE tenant_id = tenant AND use = 'logo'
$$;
CREATE VIEW gatehouse.tenant_logo WITH (security_invoker = true) AS
  SELECT tenant_id, media_type, gatehouse.logo_content(tenant_id) AS content, size, sha256, set_at
  FROM gatehouse.tenant_picture WHERE use = 'logo';
GRANT SELECT, DELETE ON gatehouse.tenant_logo TO gatehouse_app;
GRANT SELECT (tenant_id, media_type, size, sha256, set_at) ON gatehouse.tenant_logo TO gatehouse_jobs;
