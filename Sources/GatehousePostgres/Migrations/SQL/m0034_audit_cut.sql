-- Where a tenant's audit log was cut: entries up to a number went, after they were exported. The server's role adds a cut
-- and deletes by it; it changes and removes none.
CREATE TABLE gatehouse.audit_cut (
  tenant_id uuid NOT NULL DEFAULT gatehouse.tenant(),
  -- The number of the last entry that goes.
  seq bigint NOT NULL CHECK (seq > 0),
  -- The entry that records the cut.
  audit_id uuid NOT NULL,
  -- The signed mark (a JWS).
  token text NOT NULL,
  PRIMARY KEY (tenant_id, seq)
);
SELECT gatehouse.protect_tenant_table('audit_cut');
SELECT gatehouse.teach_statistics(ARRAY[['audit_cut', '(tenant_id, seq, audit_id, token) SELECT id, n, id, name FROM sample']]);
GRANT SELECT, INSERT ON gatehouse.audit_cut TO gatehouse_app;

-- What a JWS claims. Its signature is not looked at.
CREATE FUNCTION gatehouse.jws_claims(token text) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT
  SET search_path = gatehouse, pg_temp AS $$
  SELECT convert_from(decode(rpad(part, (length(part) + 3) / 4 * 4, '='), 'base64'), 'UTF8')::jsonb
  FROM (SELECT translate(split_part(token, '.', 2), '-_', '+/') AS part) AS one
$$;

-- Deletes entries of the tenant that is set, from number `behind` on and at most `batch`, as far as the newest cut goes
-- that a sealed entry records; says how many, and the last one's number. A caller that deletes batch after batch says
-- where it is, so that each begins there and not at all that was deleted. It runs as the owner, whom the row-level security binds too, for the server's role may not
-- delete entries. PostgreSQL cannot verify the cut's signature: a cut that is not signed is found by `audit verify`, as
-- it stays in the table, and in the chain.
CREATE FUNCTION gatehouse.delete_cut_audit(behind bigint, batch integer) RETURNS TABLE (deleted bigint, last bigint)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = gatehouse, pg_temp AS $$
DECLARE
  mark record;
  sealed_up_to bigint;
  gone uuid[];
BEGIN
  -- An erasure of a user changes entries as well: one after the other.
  SELECT (jws_claims(audit_head.token)->>'seq')::bigint INTO sealed_up_to FROM audit_head FOR UPDATE;
  SELECT audit_cut.seq, audit_cut.audit_id, audit_link.seq AS place, jws_claims(audit_cut.token) AS claims, audit.details
    INTO mark
    FROM audit_cut
      JOIN audit ON audit.id = audit_cut.audit_id AND audit.event = 'audit_cut'
      JOIN audit_link ON audit_link.audit_id = audit_cut.audit_id
    ORDER BY audit_cut.seq DESC LIMIT 1;
  PERFORM require(FOUND AND mark.place > mark.seq AND mark.place <= sealed_up_to
    -- The mark is of this tenant, names this place, and is what the entry says.
    AND mark.claims->>'tenant' = tenant()::text AND mark.claims->>'row' = mark.audit_id::text
    AND mark.claims->>'seq' = mark.seq::text AND mark.details->>'seq' = mark.seq::text
    AND mark.claims->>'hash' = mark.details->>'hash' AND mark.claims->>'export' = mark.details->>'export'
    -- It is about this chain, as long as the last entry that goes is there.
    AND coalesce((SELECT mark.claims->>'hash' = rtrim(translate(encode(hash, 'base64'), '+/', '-_'), '=')
      FROM audit_link WHERE seq = mark.seq), true), 'audit_cut_is_sealed');
  SELECT max(seq) INTO last FROM
    (SELECT seq FROM audit_link WHERE seq > behind AND seq <= mark.seq ORDER BY seq
      LIMIT least(greatest(batch, 0), 10000)) AS due;
  WITH links AS (DELETE FROM audit_link WHERE seq > behind AND seq <= last RETURNING audit_id)
    SELECT array_agg(audit_id) INTO gone FROM links;
  DELETE FROM audit WHERE id = ANY (gone);
  deleted := coalesce(cardinality(gone), 0);
  RETURN NEXT;
END $$;
REVOKE ALL ON FUNCTION gatehouse.delete_cut_audit(bigint, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION gatehouse.delete_cut_audit(bigint, integer) TO gatehouse_app;
