-- Idempotency-Key of operators, where what they make belongs to no tenant yet or to several: the answer, written in the
-- transaction of its effect. What is within one tenant is in idempotency_key. No claims: whoever comes second waits for the
-- unique key, and then finds the answer of the first.
CREATE TABLE gatehouse.operator_answer (
  -- HMACs, as those of idempotency_key.
  key bytea NOT NULL CHECK (octet_length(key) = 32),
  body bytea NOT NULL CHECK (octet_length(body) = 32),
  -- Under the key-encryption key: a new token is in it.
  sealed_answer bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (key)
);
-- The next answer sweeps those that expired.
CREATE INDEX operator_answer_expiry ON gatehouse.operator_answer (expires_at);
GRANT SELECT, INSERT, DELETE ON gatehouse.operator_answer TO gatehouse_app;
