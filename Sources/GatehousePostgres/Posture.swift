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
      problems += try Posture.problems("role", login, Posture.loginProblems)
    }
    for table in answers.dropFirst().joined() {
      problems += try Posture.problems("table", table, Posture.tableProblems)
    }
    if !problems.isEmpty { throw PostureError(problems: problems) }
  }
}

/// The statements of `verifyPosture`.
enum Posture {
  /// The problems of a row: a name, and for each sentence whether it is true of that name.
  static func problems(_ kind: String, _ row: Row, _ sentences: [String]) throws -> [String] {
    try row.read { columns in
      let name: String = try columns.next()
      var found: [String] = []
      for sentence in sentences where try columns.next() { found.append("\(kind) \(name) \(sentence)") }
      return found
    }
  }

  /// The questions of `login`, in its order.
  static let loginProblems = [
    "is a superuser", "bypasses row-level security", "is a member of \(Roles.owner)", "may create roles or schemas",
    "owns tables",
  ]

  /// The questions of `tables`, in its order.
  static let tableProblems = [
    "does not enable row-level security", "does not force row-level security", "has no row-level security policy",
    "can be truncated by the server",
  ]

  /// Also what the session's login could become by SET ROLE counts, so membership and not only the present role.
  static let login: SQL = """
    SELECT rolname::text, rolsuper, rolbypassrls,
      coalesce((SELECT pg_has_role(session_user, oid, 'MEMBER') FROM pg_roles WHERE rolname = \(Roles.owner)), false),
      rolcreaterole OR has_database_privilege(session_user, current_database(), 'CREATE'),
      EXISTS (SELECT FROM pg_class WHERE relowner = login.oid AND relkind IN ('r', 'p', 'v', 'm')
              AND relpersistence <> 't')
    FROM pg_roles AS login WHERE rolname = session_user
    """

  static let tables: SQL = """
    SELECT format('%I.%I', nspname, relname), NOT relrowsecurity, NOT relforcerowsecurity,
      NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = pg_class.oid),
      has_table_privilege(session_user, pg_class.oid, 'TRUNCATE')
    FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE relkind IN ('r', 'p') AND nspname NOT LIKE 'pg\\_%' AND nspname <> 'information_schema'
      AND EXISTS (SELECT FROM pg_attribute WHERE attrelid = pg_class.oid AND attname = 'tenant_id' AND NOT attisdropped)
      AND NOT (relrowsecurity AND relforcerowsecurity
               AND EXISTS (SELECT FROM pg_policy WHERE polrelid = pg_class.oid)
               AND NOT has_table_privilege(session_user, pg_class.oid, 'TRUNCATE'))
    ORDER BY 1
    """
}
