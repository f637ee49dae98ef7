-- The client of a session: an app, or a browser at the hosted pages. A constant default writes no row.
ALTER TABLE gatehouse.session ADD COLUMN client text COLLATE "C" NOT NULL DEFAULT 'app';

-- Servers of the release before open sessions without it. The next release drops the trigger and its function.
CREATE FUNCTION gatehouse.name_client() RETURNS trigger LANGUAGE plpgsql SET search_path = gatehouse, pg_temp AS $$
BEGIN
  NEW.client := 'pages';
  RETURN NEW;
END $$;
CREATE TRIGGER client_of_page BEFORE INSERT ON gatehouse.session
  FOR EACH ROW WHEN (NEW.page_hash IS NOT NULL AND NEW.client = 'app') EXECUTE FUNCTION gatehouse.name_client();
