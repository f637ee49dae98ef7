-- To which moment the database was last restored, and when that was said. What was made before and leaves a mark at its one use
-- (challenges of attested apps, ID tokens without a nonce) is not taken afterwards: the mark may be among what was lost.
ALTER TABLE gatehouse.tenant ADD COLUMN restored_to timestamptz, ADD COLUMN restored_at timestamptz,
  ADD CONSTRAINT tenant_restored CHECK ((restored_to IS NULL) = (restored_at IS NULL));
GRANT UPDATE (restored_to, restored_at) ON gatehouse.tenant TO gatehouse_app;
