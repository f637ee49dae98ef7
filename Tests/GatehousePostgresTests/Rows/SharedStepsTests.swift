import Foundation
import GatehouseIdentity
import GatehousePostgres
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// What migrations share: the functions that a new table is made with.
@Suite struct SharedStepsTests {
  private static let table = """
    CREATE TABLE gatehouse.made (
      tenant_id uuid NOT NULL DEFAULT gatehouse.tenant(), id uuid NOT NULL, body text NOT NULL,
      PRIMARY KEY (tenant_id, id),
      CONSTRAINT made_account FOREIGN KEY (tenant_id, id) REFERENCES gatehouse.account (tenant_id, id) ON DELETE CASCADE
    );
    SELECT gatehouse.protect_tenant_table('made');
    GRANT SELECT, INSERT, UPDATE, DELETE ON gatehouse.made TO gatehouse_app;
    """
  private static let lesson = """
    SELECT gatehouse.teach_statistics(ARRAY[['made', '(tenant_id, id, body) SELECT id, id, name FROM sample']]);
    """

  /// Each different answer, with the tables that give it.
  private func answers(_ ground: StoreFixture, _ question: SQL) async throws -> [[String?]: [String]] {
    var answers: [[String?]: [String]] = [:]
    for row in try await ground.everything(question) {
      answers[try (1..<row.count).map { try row[$0] }, default: []].append(try row[0])
    }
    return answers
  }

  @Test("a table that protect_tenant_table made passes the checks of every other one")
  func isolation() async throws {
    try await withStore { ground async throws in
      try await ground.place.run(script: Self.table)
      let other = try await ground.makeTenant("second")
      for (tenant, store) in [(ground.tenant, ground.store), (other.id, other.store)] {
        try await Isolation.fill(store, tenant, ground.now)
        _ = try await ground.app.write(
          tenant.uuid, "INSERT INTO made (id, body) SELECT id, 'x' FROM account")
      }
      #expect(try await Isolation.flaws(ground.app) == [])
      #expect(try await Isolation.leaks(ground, own: other.id, foreign: ground.tenant) == [])
      try await ground.app.verifyPosture()
    }
  }

  @Test("every tenant table has exactly the policy that protect_tenant_table gives")
  func samePolicy() async throws {
    try await withStore { ground async throws in
      try await ground.place.run(script: Self.table)
      let found = try await answers(
        ground,
        """
        SELECT tablename::text, policyname::text, permissive, roles::text, cmd, qual, with_check
        FROM pg_policies WHERE schemaname = 'gatehouse' AND roles <> '{gatehouse_jobs}'
        """)
      #expect(found.count == 1)
      #expect(try await found.values.first?.sorted() == Isolation.tenantTables(ground.app))
    }
  }

  @Test("what teach_statistics teaches of a tenant is what was taught of every other table")
  func sameStatistics() async throws {
    try await withStore { ground async throws in
      try await ground.place.run(script: Self.table + Self.lesson)
      let found = try await answers(
        ground,
        """
        SELECT relname::text, array_to_string(attoptions, ' '), attstattarget::text, n_distinct::text,
          (most_common_vals IS NULL)::text
        FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attname = 'tenant_id'
        LEFT JOIN pg_stats ON schemaname = 'gatehouse' AND tablename = relname AND pg_stats.attname = 'tenant_id'
        WHERE relnamespace = 'gatehouse'::regnamespace AND relkind = 'r'
        """)
      #expect(found.count == 1, "\(found)")
    }
  }

  @Test("a lesson leaves no row and no policy behind, and takes none of those that are there")
  func traces() async throws {
    try await withStore { ground async throws in
      try await Isolation.fill(ground.store, ground.tenant, ground.now)
      try await ground.place.run(script: Self.table)
      let before = try await Isolation.counts(ground)
      try await ground.place.run(script: Self.lesson)
      #expect(try await Isolation.counts(ground) == before)
      #expect(try await Isolation.flaws(ground.app) == [])
    }
  }

  @Test("neither the server nor its jobs may call them", arguments: [Roles.app, Roles.jobs])
  func rights(role: String) async throws {
    try await withStore { ground async throws in
      let database = role == Roles.app ? ground.app : ground.jobs
      for call: SQL in [
        "SELECT gatehouse.protect_tenant_table('account')", "SELECT gatehouse.teach_statistics('{}'::text[])",
      ] {
        #expect(await failure { try await database.write(nil, call) }?.sqlState == "42501")
      }
    }
  }
}
