-- Sessions of browsers from before they named their client. The migration is one of its own: no row is written under the lock that a
-- new column takes. Each tenant's rows are found by its index of pages.
DO $$
DECLARE wanted uuid;
BEGIN
  FOR wanted IN SELECT id FROM gatehouse.tenant ORDER BY id LOOP
    PERFORM set_config('app.tenant', wanted::text, true);
    UPDATE gatehouse.session SET client = 'pages' WHERE page_hash IS NOT NULL AND client = 'app';
  END LOOP;
  PERFORM set_config('app.tenant', '', true);
END $$;
