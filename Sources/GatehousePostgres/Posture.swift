/// The faults in the rights that the server would run with.
package struct PostureError: Error, Sendable, CustomStringConvertible {
  /// One sentence each, naming roles and tables.
  package let problems: [String]
  package var description: String { problems.joined(separator: "\n") }
}

extension Database {
  /// Throws `PostureError` unless row-level security can not be escaped: the login is neither superuser nor owner and
  /// does not bypass it, and every table with a `tenant_id` enables and forces it, has a policy, and can not be
  /// truncated. The server asks this before it serves.
  package func verifyPosture() async throws {
    let answers = try await read(nil, [Posture.login, Posture.tables])
    var problems: [String] = []
    if let login = try answers.first?.single() {
      let name: String = try login["name"]
      if try login["super"] { problems.append("role \(name) is a superuser") }
      if try login["bypasses"] { problems.append("role \(name) bypasses row-level security") }
      if try login["member"] { problems.append("role \(name) is a member of \(Roles.owner)") }
      if try login["creates"] { problems.append("role \(name) may create roles or schemas") }
      if try login["owns"] { problems.append("role \(name) owns tables") }
    }
    for table in answers.dropFirst().joined() {
      let name: String = try table["name"]
      if try !table["enabled"] { problems.append("table \(name) does not enable row-level security") }
      if try !table["forced"] { problems.append("table \(name) does not force row-level security") }
      if try !table["policed"] { problems.append("table \(name) has no row-level security policy") }
      if try table["truncatable"] { problems.append("table \(name) can be truncated by the server") }
    }
    if !problems.isEmpty { throw PostureError(problems: problems) }
  }
}

/// The statements of `verifyPosture`.
enum Posture {
  /// Also what the session's login could become by SET ROLE counts, so membership and not only the present role.
  static let login: SQL = """
    SELECT rolname::text AS name, rolsuper AS super, rolbypassrls AS bypasses,
      coalesce((SELECT pg_has_role(session_user, oid, 'MEMBER') FROM pg_roles WHERE rolname = \(Roles.owner)), false)
        AS member,
      rolcreaterole OR has_database_privilege(session_user, current_database(), 'CREATE') AS creates,
      EXISTS (SELECT FROM pg_class WHERE relowner = login.oid AND relkind IN ('r', 'p', 'v', 'm')
              AND relpersistence <> 't') AS owns
    FROM pg_roles AS login WHERE rolname = session_user
    """

  static let tables: SQL = """
    SELECT format('%I.%I', nspname, relname) AS name, relrowsecurity AS enabled, relforcerowsecurity AS forced,
      EXISTS (SELECT FROM pg_policy WHERE polrelid = pg_class.oid) AS policed,
      has_table_privilege(session_user, pg_class.oid, 'TRUNCATE') AS truncatable
    FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE relkind IN ('r', 'p') AND nspname NOT LIKE 'pg\\_%' AND nspname <> 'information_schema'
      AND EXISTS (SELECT FROM pg_attribute WHERE attrelid = pg_class.oid AND attname = 'tenant_id' AND NOT attisdropped)
      AND NOT (relrowsecurity AND relforcerowsecurity
               AND EXISTS (SELECT FROM pg_policy WHERE polrelid = pg_class.oid)
               AND NOT has_table_privilege(session_user, pg_class.oid, 'TRUNCATE'))
    ORDER BY 1
    """
}
