-- What a sign-in with a password found out while rules on passwords only warn: one bit an account, never a length or a
-- class. It goes when the password changes, when the rules do, and with the account.
CREATE TABLE gatehouse.password_compliance (
  tenant_id uuid NOT NULL DEFAULT gatehouse.tenant(),
  account_id uuid NOT NULL,
  -- SHA-256 of the rules it was measured by.
  rules bytea NOT NULL CHECK (octet_length(rules) = 32),
  complies boolean NOT NULL,
  seen_on date NOT NULL,
  PRIMARY KEY (tenant_id, account_id),
  CONSTRAINT password_compliance_account FOREIGN KEY (tenant_id, account_id)
    REFERENCES gatehouse.account (tenant_id, id) ON DELETE CASCADE
) WITH (fillfactor = 85);
ALTER TABLE gatehouse.password_compliance ENABLE ROW LEVEL SECURITY;
ALTER TABLE gatehouse.password_compliance FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON gatehouse.password_compliance
  USING (tenant_id = (SELECT nullif(current_setting('app.tenant', true), '')::uuid))
  WITH CHECK (tenant_id = (SELECT nullif(current_setting('app.tenant', true), '')::uuid));
GRANT SELECT, INSERT, UPDATE, DELETE ON gatehouse.password_compliance TO gatehouse_app;
