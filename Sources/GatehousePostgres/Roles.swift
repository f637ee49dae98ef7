/// The database roles: who may do what (see the room card). Creating them needs a superuser or CREATEROLE, which the
/// server itself never is: the embedded cluster does it by itself, an operator runs `Roles.script` once.
package enum Roles {
  /// Owns the schema; has no login of its own.
  package static let owner = "gatehouse_owner"
  /// Member of the owner; only `db migrate` logs in as it.
  package static let migrator = "gatehouse_migrator"
  /// The server.
  package static let app = "gatehouse_app"
  /// The server's work across tenants.
  package static let jobs = "gatehouse_jobs"
  /// Roles that log in.
  package static let logins = [migrator, app, jobs]

  /// Creates the roles and their rights on `database`, in which it must be run; it may be run again.
  /// Passwords are not set: that is the operator's choice (`\password gatehouse_app`, certificates, peer …).
  package static func script(database: String) -> String {
    let name = SQL.quoted(identifier: database)
    return """
      BEGIN;
      DO $roles$
      DECLARE wanted text; logs_in boolean;
      BEGIN
        FOREACH wanted IN ARRAY ARRAY['\(owner)', '\(migrator)', '\(app)', '\(jobs)'] LOOP
          logs_in := wanted <> '\(owner)';
          IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = wanted) THEN
            EXECUTE format('CREATE ROLE %I', wanted);
          END IF;
          IF EXISTS (SELECT FROM pg_roles WHERE rolname = wanted AND (rolsuper OR rolbypassrls)) THEN
            RAISE EXCEPTION 'role % is a superuser or bypasses row-level security', wanted;
          END IF;
          -- Only what differs is changed, so that running this again touches no shared catalog.
          IF EXISTS (SELECT FROM pg_roles WHERE rolname = wanted AND rolcanlogin <> logs_in) THEN
            EXECUTE format('ALTER ROLE %I %s', wanted, CASE WHEN logs_in THEN 'LOGIN' ELSE 'NOLOGIN' END);
          END IF;
        END LOOP;
        IF NOT pg_has_role('\(migrator)', '\(owner)', 'MEMBER') THEN
          GRANT \(owner) TO \(migrator);
        END IF;
      END
      $roles$;
      REVOKE ALL ON DATABASE \(name) FROM PUBLIC;
      GRANT CONNECT ON DATABASE \(name) TO \(migrator), \(app), \(jobs);
      GRANT CREATE ON DATABASE \(name) TO \(owner);
      REVOKE CREATE ON SCHEMA public FROM PUBLIC;
      COMMIT;
      """
  }
}

/// Commands of an operator on a plain connection.
package enum Administration {
  /// Runs a script of several statements as one session, off the loops.
  package static func run(script: String, conninfo: String, user: String? = nil) async throws {
    try await offLoop { try BlockingConnection(conninfo: conninfo, user: user).run(script: script) }
  }
}
