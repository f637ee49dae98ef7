-- The request behind a message, as `traceparent` says it (W3C Trace Context), so that a message which is sent later is in the same trace.
ALTER TABLE gatehouse.outbox ADD COLUMN traceparent text COLLATE "C";
ALTER TABLE gatehouse.webhook_delivery ADD COLUMN traceparent text COLLATE "C";
