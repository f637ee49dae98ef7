import GatehousePostgres

/// What a migrated database consists of, each in lines of text.
enum SchemaQueries {
  static let all: [(title: String, statement: SQL)] = [
    (
      "columns",
      """
      SELECT table_name || '.' || column_name || ' ' || format_type(a.atttypid, a.atttypmod)
        || CASE is_nullable WHEN 'NO' THEN ' NOT NULL' ELSE '' END
      FROM information_schema.columns
      JOIN pg_attribute a ON a.attrelid = (quote_ident(table_schema) || '.' || quote_ident(table_name))::regclass
        AND a.attname = column_name
      WHERE table_schema = 'gatehouse'
      """
    ),
    (
      "constraints",
      """
      SELECT conrelid::regclass::text || ' ' || conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
      WHERE connamespace = 'gatehouse'::regnamespace AND conrelid <> 0 AND contype IN ('c', 'f', 'p', 'u', 'x')
      """
    ),
    ("indexes", "SELECT tablename || ' ' || indexname FROM pg_indexes WHERE schemaname = 'gatehouse'"),
    (
      "functions",
      """
      SELECT oid::regprocedure::text || ' ' || pg_get_function_result(oid)
        || CASE WHEN prosecdef THEN ' SECURITY DEFINER' ELSE '' END
      FROM pg_proc WHERE pronamespace = 'gatehouse'::regnamespace
      """
    ),
    (
      "triggers",
      """
      SELECT tgrelid::regclass::text || ' ' || tgname FROM pg_trigger
      JOIN pg_class c ON c.oid = tgrelid WHERE c.relnamespace = 'gatehouse'::regnamespace AND NOT tgisinternal
      """
    ),
    ("policies", "SELECT tablename || ' ' || policyname FROM pg_policies WHERE schemaname = 'gatehouse'"),
    ("migrations", "SELECT number::text || ' ' || name FROM migration"),
    ("roles", "SELECT rolname::text FROM pg_roles WHERE rolname LIKE 'gatehouse\\_%'"),
  ]
}
