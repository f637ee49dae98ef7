import Foundation
import GatehousePostgres
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite struct PostureTests {
  private func problems(_ database: Database) async -> [String] {
    do {
      try await database.verifyPosture()
      return []
    } catch {
      return (error as? PostureError)?.problems ?? ["\(error)"]
    }
  }

  @Test("the server's roles pass", arguments: [Roles.app, Roles.jobs])
  func passes(role: String) async throws {
    try await withDatabase(user: role) { _, database async throws in
      #expect(await problems(database) == [])
    }
  }

  @Test("a superuser and a member of the owner are refused", arguments: [Embedded.superuser, Roles.migrator])
  func refusedLogins(role: String) async throws {
    try await withDatabase(user: role) { _, database async throws in
      let found = await problems(database)
      #expect(found.contains { $0.contains(role) && $0.contains("member of \(Roles.owner)") })
      #expect((role == Embedded.superuser) == found.contains { $0.contains("is a superuser") })
    }
  }

  @Test(
    "a tenant table that row-level security does not wholly guard is refused, and named",
    arguments: [
      ("CREATE TABLE gatehouse.open (tenant_id uuid)", "does not enable"),
      ("ALTER TABLE gatehouse.note NO FORCE ROW LEVEL SECURITY", "does not force"),
      ("ALTER TABLE gatehouse.note DISABLE ROW LEVEL SECURITY", "does not enable"),
      ("DROP POLICY tenant ON gatehouse.note", "has no row-level security policy"),
      ("GRANT TRUNCATE ON gatehouse.note TO gatehouse_app", "can be truncated"),
    ])
  func refusedTables(script: String, problem: String) async throws {
    try await withDatabase { place, database async throws in
      #expect(await problems(database) == [])
      try await place.run(script: script)
      let found = await problems(database)
      #expect(found.contains { $0.contains("gatehouse.") && $0.contains(problem) })
    }
  }

  @Test("the roles script may run again and never turns a privileged role into ours")
  func script() async throws {
    try await withDatabase { place, database async throws in
      try await place.runAsSuperuser(script: Roles.script(database: place.name))
      #expect(await problems(database) == [])
      let canLogin = try await database.read(
        nil, "SELECT rolcanlogin, rolname::text FROM pg_roles WHERE rolname LIKE 'gatehouse%' ORDER BY 2")
      let logins = try canLogin.filter { try $0[0] }.map { try $0[1] as String }
      #expect(!logins.contains(Roles.owner) && Set(Roles.logins).isSubset(of: logins))
    }
  }

  @Test("the server's role can neither change the schema nor empty a table")
  func noSchemaChanges() async throws {
    try await withDatabase { _, database async throws in
      for statement: SQL in [
        "CREATE TABLE gatehouse.x (id int)", "CREATE TABLE public.x (id int)", "CREATE SCHEMA x",
        "TRUNCATE note", "DROP TABLE note", "ALTER TABLE note DISABLE ROW LEVEL SECURITY", "SET ROLE gatehouse_owner",
        "INSERT INTO migration (number, name, checksum, took_ms) VALUES (9, 'x', 'x', 0)",
        "CREATE TEMPORARY TABLE x (id int)",
      ] {
        #expect(await failure { try await database.write(nil, statement) }?.sqlState == "42501")
      }
    }
  }
}
