-- Where a session was opened, roughly (`Manhattan, US`), where the operator wants people to see that of their devices.
ALTER TABLE gatehouse.session ADD COLUMN place text;
