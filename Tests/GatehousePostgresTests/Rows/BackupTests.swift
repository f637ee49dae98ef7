import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import GatehousePostgres

/// The program of `deploy/` that makes dumps, and the role that it makes them as.
@Suite("Backups of a database")
struct BackupTests {
  private static let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL.path

  /// Runs a program with PostgreSQL's beside it; its exit code and what it printed.
  @discardableResult
  private func run(_ words: [String], on place: TestDatabase, _ environment: [String: String] = [:]) throws -> (
    exit: Int32, output: String
  ) {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    let found = ["PATH": "/usr/lib/postgresql/15/bin:/usr/bin:/bin", "PGHOST": place.socketDirectory]
    process.environment = found.merging(["PGDATABASE": place.name, "LC_ALL": "C"]) { $1 }.merging(environment) { $1 }
    (process.standardOutput, process.standardError) = (pipe, pipe)
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, output)
  }

  private func backUp(
    _ place: TestDatabase, into directory: URL, _ environment: [String: String] = [:]
  ) throws -> (exit: Int32, output: String) {
    try run(
      ["\(Self.root)/deploy/gatehouse-backup"], on: place,
      ["BACKUP_DIRECTORY": directory.path].merging(environment) { $1 })
  }

  private func withDirectory(_ body: (URL) async throws -> Void) async throws {
    let directory = URL(filePath: try TestFolder.make("backup"))
    defer { try? FileManager.default.removeItem(at: directory) }
    try await body(directory)
  }

  private func names(in directory: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
  }

  /// The number of rows of each table, as a superuser counts them.
  private func counts(_ database: Database) async throws -> [String: Int] {
    let rows = try await database.read(
      nil,
      """
      SELECT relname::text, (xpath('/row/n/text()', query_to_xml(
        format('SELECT count(*) AS n FROM gatehouse.%I', relname), false, true, '')))[1]::text::bigint
      FROM pg_class WHERE relnamespace = 'gatehouse'::regnamespace AND relkind IN ('r', 'p') ORDER BY 1
      """)
    return Dictionary(uniqueKeysWithValues: try rows.map { (try $0[0] as String, try $0[1] as Int) })
  }

  private func counts(_ place: TestDatabase) async throws -> [String: Int] {
    let all = try await place.connect(user: Embedded.superuser)
    let found = try await counts(all)
    await all.stop()
    return found
  }

  @Test("a dump holds every row of every tenant, comes back whole, and is noted when it is done")
  func complete() async throws {
    try await withStore { ground async throws in
      try await ground.place.runAsSuperuser(script: Roles.backupScript(database: ground.place.name))
      try await Isolation.fill(ground.store, ground.tenant, ground.now)
      let other = try await ground.makeTenant("other")
      try await Isolation.fill(other.store, other.id, ground.now)
      let before = try await counts(ground.place)
      #expect(before["tenant"] == 2 && before["account"] == 2 && before["backup"] == 0)
      #expect(try await ground.app.backupState().age == nil)
      try await withDirectory { directory in
        let done = try backUp(ground.place, into: directory)
        #expect(done.exit == 0, "\(done.output)")
        let dump = try #require(try names(in: directory).first)
        let mode = try FileManager.default.attributesOfItem(atPath: directory.path + "/" + dump)[.posixPermissions]
        #expect(try names(in: directory).count == 1 && dump.hasSuffix(".dump") && mode as? Int == 0o600)
        let age = try await ground.app.backupState().age
        #expect((age ?? .max) < 600)
        let there = try await TestDatabase.make(migrated: false)
        let restored = try run(
          [
            "pg_restore", "--exit-on-error", "--single-transaction", "--dbname", there.name,
            directory.path + "/" + dump,
          ], on: there, ["PGUSER": Embedded.superuser])
        #expect(restored.exit == 0, "\(restored.output)")
        #expect(try await counts(there) == before)
        let served = try await there.connect()
        try await served.verifyPosture()
        await served.stop()
        try await there.drop()
      }
    }
  }

  @Test("the role writes nothing but its note, and does not choose the note's time")
  func rights() async throws {
    try await withStore { ground async throws in
      try await ground.place.runAsSuperuser(script: Roles.backupScript(database: ground.place.name))
      try await Isolation.fill(ground.store, ground.tenant, ground.now)
      let found = try await ground.everything(
        """
        SELECT coalesce(string_agg(place, ' ' ORDER BY place), '') FROM (
          SELECT format('%s.%s', relname, kind) AS place
          FROM pg_class CROSS JOIN unnest(ARRAY['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER', 'REFERENCES']) AS kind
          WHERE relnamespace = 'gatehouse'::regnamespace AND relkind IN ('r', 'p', 'v')
            AND has_table_privilege('gatehouse_backup', pg_class.oid, kind)
          UNION ALL
          SELECT format('%s(%s).%s', relname, attname, kind)
          FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
            CROSS JOIN unnest(ARRAY['INSERT', 'UPDATE', 'REFERENCES']) AS kind
          WHERE relnamespace = 'gatehouse'::regnamespace AND relkind IN ('r', 'p', 'v')
            AND has_column_privilege('gatehouse_backup', pg_class.oid, attnum, kind)
          UNION ALL
          SELECT proname FROM pg_proc WHERE pronamespace = 'gatehouse'::regnamespace AND prosecdef
            AND has_function_privilege('gatehouse_backup', pg_proc.oid, 'EXECUTE')
          UNION ALL
          SELECT 'schema ' || nspname FROM pg_namespace
          WHERE nspname IN ('gatehouse', 'public') AND has_schema_privilege('gatehouse_backup', oid, 'CREATE')
          UNION ALL
          SELECT 'database ' || kind FROM unnest(ARRAY['CREATE', 'TEMPORARY']) AS kind
          WHERE has_database_privilege('gatehouse_backup', current_database(), kind)) AS all_of_them
        """)
      #expect(try found[0][0] == "backup(bytes).INSERT")
      for statement in [
        "INSERT INTO gatehouse.backup VALUES (now() - interval '1 day', 1)", "DELETE FROM gatehouse.backup",
        "UPDATE gatehouse.account SET email = 'x'", "DELETE FROM gatehouse.audit",
        "ALTER TABLE gatehouse.account NO FORCE ROW LEVEL SECURITY", "SET ROLE gatehouse_owner",
        "SELECT gatehouse.erase_tenant()",
      ] {
        let refused = await failure {
          try await Administration.run(script: statement, conninfo: ground.place.conninfo(user: Roles.backup))
        }
        #expect(refused?.sqlState == "42501", "\(statement)")
      }
      try await Administration.run(
        script: "INSERT INTO gatehouse.backup (bytes) VALUES (5)", conninfo: ground.place.conninfo(user: Roles.backup))
      #expect(try await ground.app.backupState().age != nil)
    }
  }

  @Test("a dump that does not become whole has no name, is not noted, and leaves the older ones")
  func broken() async throws {
    try await withStore { ground async throws in
      try await ground.place.runAsSuperuser(script: Roles.backupScript(database: ground.place.name))
      try await withDirectory { directory in
        for name in ["gatehouse-20260101T000000Z.dump", ".gatehouse-20260102T000000Z.dump.partial"] {
          try Data([1]).write(to: directory.appending(path: name))
        }
        // The migrator is what a dump was tried with before: row-level security stops it in the middle.
        try await Isolation.fill(ground.store, ground.tenant, ground.now)
        let refused = try backUp(ground.place, into: directory, ["PGUSER": Roles.migrator, "BACKUP_KEEP": "1"])
        #expect(refused.exit != 0)
        #expect(try names(in: directory) == ["gatehouse-20260101T000000Z.dump"], "\(refused.output)")
        #expect(try await ground.app.backupState().age == nil)
        // The control, and the number of dumps that are kept.
        #expect(try backUp(ground.place, into: directory, ["BACKUP_KEEP": "1"]).exit == 0)
        let left = try names(in: directory)
        #expect(left.count == 1 && left != ["gatehouse-20260101T000000Z.dump"])
        #expect(try backUp(ground.place, into: directory, ["BACKUP_KEEP": "0"]).exit == 2)
      }
    }
  }

  @Test("the script may run again, before migrations as well, and never takes a role with more rights")
  func script() async throws {
    try await withDatabase { place, _ async throws in
      let script = Roles.backupScript(database: place.name)
      try await place.runAsSuperuser(script: script)
      try await place.runAsSuperuser(script: script)
      try await place.runAsSuperuser(script: "ALTER ROLE gatehouse_backup CREATEDB")
      let refused = await failure { try await place.runAsSuperuser(script: script) }
      try await place.runAsSuperuser(script: "ALTER ROLE gatehouse_backup NOCREATEDB")
      #expect(refused?.sqlState == "P0001")
      try await place.runAsSuperuser(script: script)
    }
  }
}
