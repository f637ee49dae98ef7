import GatehouseIdentity
import GatehousePolicy
import GatehouseServerTesting
import Testing

@testable import GatehousePostgres

@Suite("Tables that name an account")
struct AccountTablesTests {
  @Test("each table that names a user has one row, and no other table has one")
  func tables() async throws {
    try await withStore { ground async throws in
      let rows = try await ground.everything(
        """
        SELECT relname::text FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
        WHERE relnamespace = 'gatehouse'::regnamespace AND relkind = 'r' AND attname = 'account_id' AND NOT attisdropped
        """)
      let tables = try rows.map { try $0[0] as String }
      #expect(tables.sorted() == AccountTables.all.map(\.name).sorted())
    }
  }

  private func enrol(_ ground: StoreFixture) async throws {
    let all = try await ground.place.connect(user: Embedded.superuser)
    _ = try await all.write(nil, ["UPDATE gatehouse.account SET factors = '{totp,recovery_code}'"])
    await all.stop()
  }

  @Test("second factors are read with the account, raise its epoch, and end with a reclaim")
  func factors() async throws {
    try await withStore { ground async throws in
      let user = sampleUser(1, ground.now)
      try await ground.store.commit([.user(.insert(user, unique: []))])
      let before = try #require(try await ground.store.user(id: user.id))
      #expect(before.factors == [])
      try await enrol(ground)
      let with = try #require(try await ground.store.user(id: user.id))
      #expect(with.factors == ["totp", "recovery_code"] && with.facts.factors == with.factors)
      #expect(with.epoch == before.epoch + 1)
      try await enrol(ground)
      #expect(try await ground.store.user(id: user.id)?.epoch == with.epoch)
      try await ground.store.commit([.provider(.reclaim(user.id, email: user.address))])
      #expect(try await ground.store.user(id: user.id)?.factors == [])
    }
  }
}
