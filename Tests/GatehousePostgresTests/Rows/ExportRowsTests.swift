import GatehouseServerTesting
import Testing

@testable import GatehousePostgres

@Suite("The copy of a user's data")
struct ExportRowsTests {
  @Test("each table that names a user has a part in it, or is known to have none")
  func tables() async throws {
    try await withStore { ground async throws in
      let rows = try await ground.everything(
        """
        SELECT relname::text FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
        WHERE relnamespace = 'gatehouse'::regnamespace AND relkind = 'r' AND attname = 'account_id' AND NOT attisdropped
        """)
      let tables = try rows.map { try $0[0] as String }
      let known = ExportRows.parts.map(\.table) + ExportRows.partless.keys
      #expect(tables.sorted() == known.sorted())
    }
  }
}
