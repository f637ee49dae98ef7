-- How many tests in a policy file failed when it was applied all the same.
ALTER TABLE gatehouse.policy_revision ADD COLUMN failing_tests integer NOT NULL DEFAULT 0 CHECK (failing_tests >= 0);
