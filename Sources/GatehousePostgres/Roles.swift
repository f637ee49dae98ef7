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
  /// Makes dumps: reads everything, and writes nothing but the note that a dump is done. The server never logs in as
  /// it.
  package static let backup = "gatehouse_backup"
  /// Roles of the server and its commands that log in.
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

  /// Creates `backup` and its rights on `database`, in which it must be run by a superuser, before migrations or behind
  /// them; it may be run again. It sets no password.
  package static func backupScript(database: String) -> String {
    """
    BEGIN;
    DO $roles$
    BEGIN
      IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '\(backup)') THEN
        CREATE ROLE \(backup);
      END IF;
      IF EXISTS (SELECT FROM pg_roles WHERE rolname = '\(backup)'
                 AND (rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication))
        OR EXISTS (SELECT FROM pg_auth_members
                   WHERE member = '\(backup)'::regrole AND roleid <> 'pg_read_all_data'::regrole) THEN
        RAISE EXCEPTION 'role \(backup) has more rights than a backup needs';
      END IF;
      -- Only what differs is changed, so that running this again touches no shared catalog.
      IF EXISTS (SELECT FROM pg_roles WHERE rolname = '\(backup)' AND NOT (rolcanlogin AND rolbypassrls)) THEN
        -- A dump under row-level security would have no rows, or end.
        ALTER ROLE \(backup) LOGIN BYPASSRLS;
      END IF;
      IF NOT pg_has_role('\(backup)', 'pg_read_all_data', 'MEMBER') THEN
        GRANT pg_read_all_data TO \(backup);
      END IF;
      -- A migration makes the table, and grants this where the role is there first.
      IF to_regclass('gatehouse.backup') IS NOT NULL THEN
        IF NOT has_column_privilege('\(backup)', 'gatehouse.backup', 'bytes', 'INSERT') THEN
          GRANT INSERT (bytes) ON gatehouse.backup TO \(backup);
        END IF;
      END IF;
    END
    $roles$;
    GRANT CONNECT ON DATABASE \(SQL.quoted(identifier: database)) TO \(backup);
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
