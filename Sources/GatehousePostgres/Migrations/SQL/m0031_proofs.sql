-- What the owner of a session proved: at least one proof, the newest last, as [{"method": "password", "at": 1767225600000000}] with
-- microseconds since 1970. NULL in a session that an older build opened: it has methods and authenticated_at, which every build
-- writes until a later migration drops them. The column has no default, so that no row is written here; a job fills it in batches.
ALTER TABLE gatehouse.session
  ADD COLUMN proofs jsonb CHECK (jsonb_typeof(proofs) = 'array' AND jsonb_array_length(proofs) > 0);

-- What is left for the job; empty soon.
CREATE INDEX session_without_proofs ON gatehouse.session (id) WHERE proofs IS NULL;

GRANT SELECT (methods, authenticated_at, proofs), UPDATE (proofs) ON gatehouse.session TO gatehouse_jobs;
