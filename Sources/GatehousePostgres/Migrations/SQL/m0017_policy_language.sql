-- What a revision's text means: the version of the policy language that it was applied under. Revisions of earlier servers, and of
-- an earlier server beside this one, are of the first.
ALTER TABLE gatehouse.policy_revision ADD COLUMN language integer NOT NULL DEFAULT 1;
