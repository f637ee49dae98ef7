-- A data key may be wrapped anew, by another key-encryption key; what it is, and whose, never changes.
GRANT UPDATE (sealed) ON gatehouse.data_key TO gatehouse_app;
