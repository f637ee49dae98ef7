import Foundation
import GatehousePostgres
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite struct MigratorTests {
  private let first = Migration(1, "one", "CREATE TABLE one (id int);")
  private let second = Migration(2, "two", "CREATE TABLE two (id int); INSERT INTO two VALUES (1), (2);")

  private func migrator(_ place: TestDatabase, _ migrations: [Migration]) -> Migrator {
    Migrator(conninfo: place.conninfo(user: Roles.migrator), migrations: migrations)
  }

  @Test("the folder and the list are the same, numbered from 1 without gaps")
  func folderEqualsList() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/GatehousePostgres/Migrations/SQL")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".sql") }
      .sorted()
    let listed = Migrations.all.map { migration in
      let digits = String(migration.number)
      return "m" + String(repeating: "0", count: 4 - digits.count) + "\(digits)_\(migration.name).sql"
    }
    #expect(files == listed)
    #expect(Migrations.all.map(\.number) == Array(1...Migrations.all.count))
    for (file, migration) in zip(files, Migrations.all) {
      #expect(try String(contentsOf: folder.appending(path: file), encoding: .utf8) == migration.sql)
    }
  }

  @Test("the plan changes nothing and names what migrate then runs, once")
  func planAndRun() async throws {
    let place = try await TestDatabase.make(migrated: false)
    let migrator = migrator(place, [first, second])
    #expect(try await migrator.plan() == [first, second])
    #expect(try await migrator.plan() == [first, second])
    #expect(try await migrator.migrate() == [first, second])
    #expect(try await migrator.migrate().isEmpty)
    let status = try await migrator.status()
    #expect(status.isCurrent && status.applied.map(\.name) == ["one", "two"])
    // The server's own role sees the same.
    let database = try await place.connect()
    #expect(try await database.migrationStatus([first, second]) == status)
    await database.stop()
  }

  @Test("a changed file, a renamed file, an unknown and a skipped migration are refused")
  func drift() async throws {
    let place = try await TestDatabase.make(migrated: false)
    _ = try await migrator(place, [first, second]).migrate()
    let changed = Migration(2, "two", second.sql + " ")
    let renamed = Migration(2, "too", second.sql)
    for list in [[first, changed], [first, renamed], [first]] {
      await #expect(throws: MigrationError.self) { try await migrator(place, list).migrate() }
      await #expect(throws: MigrationError.self) { try await migrator(place, list).plan() }
    }
    #expect(try await migrator(place, [first, changed]).status().drifted == [changed])
    let other = try await TestDatabase.make(migrated: false)
    _ = try await migrator(other, [second]).migrate()
    await #expect(throws: MigrationError.self) { try await migrator(other, [first, second]).migrate() }
  }

  @Test("migrators that start together apply each migration once")
  func concurrent() async throws {
    let place = try await TestDatabase.make(migrated: false)
    defer { withExtendedLifetime(place) {} }
    let migrator = migrator(place, [first, second])
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<6 { group.addTask { try await migrator.migrate().count } }
      return try await group.reduce(into: [Int]()) { $0.append($1) }
    }
    #expect(counts.sorted() == [0, 0, 0, 0, 0, 2])
  }

  @Test(
    "a migration that fails, or ends its own transaction, leaves nothing behind",
    arguments: ["CREATE TABLE half (id int); SELECT 1/0;", "CREATE TABLE half (id int); ROLLBACK;"])
  func failing(sql: String) async throws {
    let place = try await TestDatabase.make(migrated: false)
    await #expect(throws: MigrationError.self) {
      try await migrator(place, [first, Migration(2, "bad", sql)]).migrate()
    }
    let status = try await migrator(place, [first, second]).status()
    #expect(status.applied.map(\.number) == [1] && status.pending == [second])
    let database = try await place.connect()
    #expect(try await database.read(nil, "SELECT to_regclass('gatehouse.half') IS NULL")[0][0] == true)
    await database.stop()
  }

  @Test("everything belongs to the owner, also when a migration changes its role")
  func ownership() async throws {
    let place = try await TestDatabase.make(migrated: false)
    let escaping = Migration(
      1, "escaping", "GRANT CREATE ON SCHEMA gatehouse TO gatehouse_migrator; RESET ROLE; CREATE TABLE mine (id int);")
    await #expect(throws: MigrationError.self) { try await migrator(place, [escaping]).migrate() }
    _ = try await migrator(place, [first]).migrate()
    let database = try await place.connect()
    let owner: String = try await database.read(
      nil, "SELECT pg_get_userbyid(relowner)::text FROM pg_class WHERE oid = 'gatehouse.one'::regclass")[0][0]
    #expect(owner == Roles.owner)
    await database.stop()
  }

  @Test("only the migrator may migrate")
  func notTheApp() async throws {
    let place = try await TestDatabase.make(migrated: false)
    defer { withExtendedLifetime(place) {} }
    let app = Migrator(conninfo: place.conninfo(user: Roles.app), migrations: [first])
    await #expect(throws: MigrationError.self) { try await app.migrate() }
  }

  @Test("rows of the audit trail from before it was chained wait to be sealed, of every tenant")
  func auditBackfill() async throws {
    let place = try await TestDatabase.make(migrated: false)
    let number = try #require(Migrations.all.first { $0.name == "audit_chain" }?.number)
    _ = try await migrator(place, Migrations.all.filter { $0.number < number }).migrate()
    let tenants = [UUID(), UUID()]
    for (index, tenant) in tenants.enumerated() {
      try await place.runAsSuperuser(
        script: """
          INSERT INTO gatehouse.audit (tenant_id, id, at, event, actor)
          SELECT '\(tenant)', gen_random_uuid(), now(), 'user_enabled', 'system' FROM generate_series(1, \(index + 2))
          """)
    }
    _ = try await migrator(place, Migrations.all.filter { $0.number <= number }).migrate()
    let database = try await place.connect()
    for (index, tenant) in tenants.enumerated() {
      let waiting = try await database.read(
        tenant, "SELECT count(*) FROM audit_unsealed JOIN audit ON audit.id = audit_unsealed.audit_id")
      #expect(try waiting[0][0] == index + 2)
    }
    await database.stop()
  }

  @Test("T140 the migration to claims keeps verified hosts; what was not verified waits, for 7 days")
  func hostClaims() async throws {
    let place = try await TestDatabase.make(migrated: false)
    _ = try await migrator(place, Array(Migrations.all.prefix(18))).migrate()
    try await place.run(
      script: """
        INSERT INTO gatehouse.tenant (id, name, display_name, created_at)
        VALUES ('00000000-0000-0000-0000-000000000001', 'first', 'First', now());
        INSERT INTO gatehouse.tenant_host (host, tenant, proof, added_at, verified_at) VALUES
          ('kept.example.com', '00000000-0000-0000-0000-000000000001', 'a', now() - interval '1 year', now()),
          ('new.example.com', '00000000-0000-0000-0000-000000000001', 'b', now() - interval '1 year', NULL);
        """)
    _ = try await migrator(place, Migrations.all).migrate()
    try await place.run(
      script: """
        DO $check$ BEGIN
          ASSERT (SELECT allowed_at = verified_at FROM gatehouse.tenant_host WHERE host = 'kept.example.com');
          ASSERT (SELECT allowed_at IS NULL AND expires_at > now() + interval '6 days'
            FROM gatehouse.tenant_host WHERE host = 'new.example.com');
        END $check$
        """)
    try await place.drop()
  }
}
