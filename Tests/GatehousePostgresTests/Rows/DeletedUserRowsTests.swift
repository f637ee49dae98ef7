import Foundation
import GatehouseIdentity
import GatehousePolicy
@testable import GatehousePostgres
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Rows of deleted accounts")
struct DeletedUserRowsTests {
  /// Tables whose rows end with the account: a new table that names one is listed here or in `kept_tables`.
  private static let left: Set = [
    "session", "device", "one_time_code", "outbox", "webhook_delivery", "idempotency_key", "attest_key", "audit",
    "provider_grant", "provider_revocation", "search_key", "ticket", "backfill_value",
  ]

  @Test("each table that names an account is kept with a deleted one, or ends with it")
  func tables() async throws {
    try await withStore { ground async throws in
      let rows = try await ground.everything("SELECT relation FROM gatehouse.kept_tables() WHERE relation <> 'account'")
      let kept = Set(try rows.map { try $0[0] as String })
      #expect(kept.isDisjoint(with: Self.left))
      #expect(kept.union(Self.left) == Set(AccountTables.all.map(\.name)))
    }
  }

  private func enrol(_ user: StoredUser, _ ground: StoreFixture) async throws {
    try await ground.store.commit([
      .user(.insert(user, unique: [UniqueValue(field: "handle", key: "me")])),
      .user(.setPassword(user.id, phc: "w")), .user(.setPassword(user.id, phc: "x", remembering: 1)),
      .user(.recordCompliance(user.id, Compliance(rules: [UInt8](repeating: 1, count: 32), complies: true))),
      .provider(.link(identity(of: user, ground.now))),
      .factor(
        .add(
          AuthenticatorApp(
            id: id(5), user: user.id, sealedSeed: [1], name: "Phone", lastStep: 7, createdAt: ground.now))),
      .factor(.addPasskey(samplePasskey(6, of: user.id, ground.now))),
      .factor(.setCodes(user.id, [hash(1), hash(2)])),
    ])
    try await ground.store.commit([.factor(.useCode(user.id, hash(2)))])
  }

  /// The rows of an account but for the facts that a return changes.
  private func rows(_ ground: StoreFixture) async throws -> [String] {
    try await ground.everything(
      """
      SELECT (to_jsonb(r) - 'epoch' - 'updated_at')::text FROM gatehouse.account AS r UNION ALL
      SELECT to_jsonb(r)::text FROM gatehouse.credential AS r UNION ALL
      SELECT to_jsonb(r)::text FROM gatehouse.password_history AS r UNION ALL
      SELECT to_jsonb(r)::text FROM gatehouse.password_compliance AS r UNION ALL
      SELECT to_jsonb(r)::text FROM gatehouse.unique_value AS r UNION ALL
      SELECT to_jsonb(r)::text FROM gatehouse.search_key AS r UNION ALL
      SELECT to_jsonb(r)::text FROM gatehouse.totp AS r UNION ALL
      SELECT to_jsonb(r)::text FROM gatehouse.recovery_code AS r UNION ALL
      SELECT to_jsonb(r)::text FROM gatehouse.provider_identity AS r
      """
    ).map { try $0[0] }
  }

  private func setAside(_ user: StoredUser, _ ground: StoreFixture) async throws {
    try await ground.store.commit([.user(.setAside(user.id, until: ground.now.addingTimeInterval(60)))])
  }

  private func bringBack(_ user: StoredUser, _ ground: StoreFixture) async throws {
    try await ground.store.commit([.user(.bringBack(user.id, email: user.email, since: .distantPast))])
  }

  @Test("every row that makes an account comes back as it was, under a later epoch")
  func roundTrip() async throws {
    try await withStore { ground async throws in
      let user = sampleUser(1, ground.now)
      try await enrol(user, ground)
      let before = try await rows(ground)
      let epoch = try #require(try await ground.store.user(id: user.id)).epoch
      #expect(before.count >= 9)
      try await setAside(user, ground)
      #expect(try await rows(ground) == [])
      try await bringBack(user, ground)
      #expect(try await rows(ground) == before)
      #expect(try #require(try await ground.store.user(id: user.id)).epoch > epoch)
    }
  }

  @Test("a linked provider whose tokens went with the deletion has to be linked again")
  func grants() async throws {
    try await withStore { ground async throws in
      let user = sampleUser(1, ground.now)
      try await enrol(user, ground)
      try await ground.store.commit([.grant(.keep(grant(of: user, ground.now)))])
      try await setAside(user, ground)
      try await bringBack(user, ground)
      #expect(try await ground.store.user(id: user.id)?.links.map(\.state) == [.broken])
    }
  }

  @Test("a person at a provider that another account has by now is a refusal, and the account stays kept")
  func identities() async throws {
    try await withStore { ground async throws in
      let (user, other) = (sampleUser(1, ground.now), sampleUser(2, ground.now))
      try await enrol(user, ground)
      try await setAside(user, ground)
      var same = identity(of: user, ground.now)
      same.user = other.id
      try await ground.store.commit([.user(.insert(other, unique: [])), .provider(.link(same))])
      await #expect(throws: StoreError.refused(.identityIsFree)) { try await bringBack(user, ground) }
      #expect(try await ground.store.user(id: user.id) == nil)
      let kept = try await ground.store.deletedUsers(DeletedUserLook(deletedAfter: .distantPast), limit: 9)
      #expect(kept.map(\.id) == [user.id])
    }
  }

  @Test("a column that is newer than the deletion gets its default")
  func newerColumn() async throws {
    try await withStore { ground async throws in
      let user = sampleUser(1, ground.now)
      try await enrol(user, ground)
      try await setAside(user, ground)
      try await ground.place.run(script: "ALTER TABLE gatehouse.account ADD COLUMN rank integer NOT NULL DEFAULT 7")
      try await bringBack(user, ground)
      let rank = try await ground.everything("SELECT rank FROM gatehouse.account").single()?[0] as Int?
      #expect(rank == 7)
    }
  }

  @Test("of two returns at once one is made")
  func once() async throws {
    try await withStore { ground async throws in
      let user = sampleUser(1, ground.now)
      try await enrol(user, ground)
      try await setAside(user, ground)
      let back = Change.user(.bringBack(user.id, email: user.email, since: .distantPast))
      await #expect(throws: StoreError.refused(.accountExists)) { try await ground.overlap(back, with: back) }
      #expect(try await ground.store.user(id: user.id) != nil)
    }
  }

  @Test("deleted accounts go with their tenant, and another tenant sees none")
  func tenants() async throws {
    try await withStore { ground async throws in
      let other = try await ground.makeTenant("second")
      let user = sampleUser(1, ground.now)
      try await enrol(user, ground)
      try await setAside(user, ground)
      let look = DeletedUserLook(deletedAfter: .distantPast)
      #expect(try await other.store.deletedUsers(look, limit: 9) == [])
      await #expect(throws: StoreError.refused(.accountExists)) {
        try await other.store.commit([.user(.bringBack(user.id, email: nil, since: .distantPast))])
      }
      await #expect(throws: StoreError.refused(.accountExists)) {
        try await other.store.commit([.user(.eraseAside(user.id))])
      }
      #expect(try await ground.store.deletedUsers(look, limit: 9).count == 1)
      try await ground.delete(ground.tenant)
      let left = try await ground.everything("SELECT count(*) FROM gatehouse.deleted_account").single()?[0] as Int?
      #expect(left == 0)
    }
  }
}
