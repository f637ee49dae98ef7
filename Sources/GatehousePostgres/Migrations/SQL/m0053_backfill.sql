-- Work on stored values that a job does. Values of profile fields move to another name when the policy renames a field, and back when it
-- takes the rename back; operators order fields to be set. A row for each rename that a revision said and for each order: who said it,
-- how far it is, and what became of the values.
CREATE TABLE gatehouse.backfill (
  tenant_id uuid NOT NULL DEFAULT gatehouse.tenant(),
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  -- The present name and the former one; empty for an order.
  field text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  -- What an operator ordered.
  item jsonb,
  revision integer NOT NULL,
  author text NOT NULL,
  state text COLLATE "C" NOT NULL
    CHECK (state IN ('moving', 'moved', 'returning', 'returned', 'stopped', 'ending', 'ended', 'setting', 'set', 'undoing', 'undone')),
  -- The accounts up to this one were visited.
  reached uuid,
  moved bigint NOT NULL DEFAULT 0,
  refused bigint NOT NULL DEFAULT 0,
  skipped bigint NOT NULL DEFAULT 0,
  begun_at timestamptz NOT NULL,
  -- Values move from then on: every server has the revision by then.
  due_at timestamptz NOT NULL,
  ended_at timestamptz,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX backfill_of_rename ON gatehouse.backfill (tenant_id, field, source) WHERE item IS NULL;
-- Every read of accounts asks for these, and there are nearly always none.
CREATE INDEX backfill_in_transit ON gatehouse.backfill (tenant_id) WHERE state IN ('moving', 'returning');
SELECT gatehouse.protect_tenant_table('backfill');

-- What was moved or replaced, so that exactly this can be put back. It goes with the account, with a change of the value, and after 30 days.
CREATE TABLE gatehouse.backfill_value (
  tenant_id uuid NOT NULL DEFAULT gatehouse.tenant(),
  backfill_id uuid NOT NULL,
  account_id uuid NOT NULL,
  -- Under the former name, and under the present one; of an order objects with all of its fields.
  stored jsonb NOT NULL,
  given jsonb NOT NULL,
  moved_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, backfill_id, account_id),
  FOREIGN KEY (tenant_id, backfill_id) REFERENCES gatehouse.backfill (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, account_id) REFERENCES gatehouse.account (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX backfill_value_of_account ON gatehouse.backfill_value (tenant_id, account_id);
CREATE INDEX backfill_value_age ON gatehouse.backfill_value (moved_at);
SELECT gatehouse.protect_tenant_table('backfill_value');
SELECT gatehouse.teach_statistics(ARRAY[
  ['backfill', '(tenant_id, id, field, source, revision, author, state, begun_at, due_at)
    SELECT id, id, name, name, n, name, ''moved'', moment, moment FROM sample'],
  ['backfill_value', '(tenant_id, backfill_id, account_id, stored, given, moved_at)
    SELECT id, id, id, to_jsonb(name), to_jsonb(name), moment FROM sample']]);
GRANT SELECT, INSERT, UPDATE, DELETE ON gatehouse.backfill, gatehouse.backfill_value TO gatehouse_app;
GRANT SELECT (tenant_id, state, due_at) ON gatehouse.backfill TO gatehouse_jobs;
CREATE POLICY jobs ON gatehouse.backfill TO gatehouse_jobs USING (true) WITH CHECK (true);
GRANT SELECT (ctid, tenant_id, moved_at), DELETE ON gatehouse.backfill_value TO gatehouse_jobs;
CREATE POLICY jobs ON gatehouse.backfill_value TO gatehouse_jobs USING (true) WITH CHECK (true);

INSERT INTO gatehouse.prunable (place, kind, relation, clears, due, still, tells) VALUES
  (180, 'backfill_values', 'backfill_value', NULL, 'moved_at < $1 - interval ''30 days''', NULL, NULL);

-- The values of an account that are on their way: a value that was not moved yet and whose new name has none, and one that was moved, is
-- as it was moved, and was not moved back yet.
CREATE FUNCTION gatehouse.in_transit(account uuid, profile jsonb) RETURNS TABLE (origin text, target text, value jsonb)
  LANGUAGE sql STABLE SET search_path = gatehouse, pg_temp AS $$
  SELECT b.source, b.field, $2 -> b.source FROM backfill AS b
  WHERE b.state = 'moving' AND (b.reached IS NULL OR $1 > b.reached) AND $2 ? b.source AND NOT $2 ? b.field
  UNION ALL
  SELECT b.field, b.source, v.stored FROM backfill AS b JOIN backfill_value AS v ON v.backfill_id = b.id
  WHERE b.state = 'returning' AND v.account_id = $1 AND v.given = $2 -> b.field AND NOT $2 ? b.source
$$;

-- A profile as it is read: values on their way have both names, so that a server that has not read the newest revision yet finds them.
CREATE FUNCTION gatehouse.shown_profile(account uuid, profile jsonb) RETURNS jsonb LANGUAGE sql STABLE
  SET search_path = gatehouse, pg_temp AS $$
  SELECT $2 || coalesce((SELECT jsonb_object_agg(t.target, t.value) FROM in_transit($1, $2) AS t), '{}')
$$;

-- A field's name, and the names under which its values may still stand.
CREATE FUNCTION gatehouse.names_in_transit(name text) RETURNS text[] LANGUAGE sql STABLE
  SET search_path = gatehouse, pg_temp AS $$
  SELECT array_agg(DISTINCT known.name) FROM (
    SELECT $1 AS name UNION ALL
    SELECT CASE WHEN b.field = $1 THEN b.source ELSE b.field END FROM backfill AS b
    WHERE b.state IN ('moving', 'returning') AND $1 IN (b.field, b.source)) AS known
$$;

-- What a new revision means for moves: it has these fields, and these of them had another name.
CREATE FUNCTION gatehouse.follow_renames(number integer, who text, fields text[], targets text[], sources text[])
  RETURNS void LANGUAGE plpgsql SET search_path = gatehouse, pg_temp AS $$
DECLARE
  -- A server hears of a revision within a second, and looks by itself every ten.
  due CONSTANT timestamptz := gatehouse.now() + interval '15 seconds';
BEGIN
  -- The former name is a field again: values go back.
  UPDATE backfill SET state = 'returning', revision = number, author = who, reached = NULL, moved = 0, refused = 0,
    skipped = 0, begun_at = gatehouse.now(), due_at = due, ended_at = NULL
  WHERE state IN ('moving', 'moved', 'stopped') AND source = ANY(fields);
  UPDATE backfill SET state = 'stopped', ended_at = gatehouse.now()
  WHERE (state = 'moving' AND field <> ALL(fields))
    OR (state = 'returning' AND source <> ALL(fields) AND NOT (field = ANY(targets) AND source = ANY(sources)));
  INSERT INTO backfill AS b (field, source, revision, author, state, begun_at, due_at)
    SELECT r.field, r.source, number, who, 'moving', gatehouse.now(), due FROM unnest(targets, sources) AS r (field, source)
    ON CONFLICT (tenant_id, field, source) WHERE item IS NULL DO UPDATE SET state = 'moving', revision = number, author = who, reached = NULL,
      moved = 0, refused = 0, skipped = 0, begun_at = gatehouse.now(), due_at = due, ended_at = NULL
    -- What the field refused is judged anew.
    WHERE b.state NOT IN ('moving', 'moved') OR b.refused > 0;
  -- What was ordered under another revision stays as it is.
  UPDATE backfill SET state = 'ending', due_at = gatehouse.now(), ended_at = coalesce(ended_at, gatehouse.now())
  WHERE state IN ('setting', 'set', 'undoing');
  -- Another move of one of the names can not be undone any more.
  UPDATE backfill AS o SET state = 'ending', due_at = gatehouse.now(), ended_at = coalesce(o.ended_at, gatehouse.now())
  FROM backfill AS b
  WHERE b.state = 'moving' AND b.revision = number AND o.item IS NULL AND o.id <> b.id AND o.state NOT IN ('ending', 'ended')
    AND (o.field IN (b.field, b.source) OR o.source IN (b.field, b.source));
END $$;
