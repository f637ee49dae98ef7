import GatehouseIdentity
@testable import GatehousePostgres
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Accounts that are drawn by chance")
struct ScannedUserRowsTests {
  /// So many accounts that one table has them on several pages, and one account of another tenant.
  private func crowd(_ count: Int, _ ground: StoreFixture) async throws {
    try await ground.store.commit((1...count).map { .user(.insert(sampleUser($0, ground.now), unique: [])) })
    let other = try await ground.makeTenant("other")
    try await other.store.commit([.user(.insert(sampleUser(count + 1, ground.now), unique: []))])
  }

  @Test("of fewer accounts than are wanted all are drawn, and none of another tenant")
  func few() async throws {
    try await withStore { ground async throws in
      try await crowd(20, ground)
      let drawn = try await ground.store.drawUsers(100, of: 20)
      #expect(Set(drawn) == Set((1...20).map { UserID(id($0)) }))
    }
  }

  @Test("none is drawn where none is wanted")
  func none() async throws {
    try await withStore { ground async throws in
      try await crowd(20, ground)
      #expect(try await ground.store.drawUsers(0, of: 20) == [])
    }
  }

  @Test("of many accounts one of each page is drawn, and none of another tenant")
  func pages() async throws {
    try await withStore { ground async throws in
      try await crowd(200, ground)
      let pages = try await ground.everything("SELECT pg_relation_size('gatehouse.account') / 8192")
      let drawn = try await ground.store.drawUsers(100, of: ScannedUserRows.mostOneByOne + 1)
      #expect(drawn.count == Set(drawn).count)
      #expect((1...(try pages[0][0] as Int)).contains(drawn.count))
      #expect(Set(drawn).isSubset(of: (1...200).map { UserID(id($0)) }))
    }
  }

  @Test("accounts that were drawn are read as a walk reads them")
  func scanned() async throws {
    try await withStore { ground async throws in
      try await crowd(20, ground)
      let walked = try await ground.store.users(after: nil as UserID?, limit: 100).map(\.user.id)
      let read = try await ground.store.users(scanning: walked).map(\.user.id)
      #expect(read == walked)
    }
  }

  @Test("a scan tells the kinds of an account's passkeys, each once, and none of an account without any")
  func passkeys() async throws {
    try await withStore { ground async throws in
      try await crowd(2, ground)
      let person = UserID(id(1))
      var keys = (1...4).map { samplePasskey($0, of: person, ground.now) }
      keys[2].rpID = "old.example"
      (keys[3].isBackupEligible, keys[3].isBackedUp) = (false, false)
      try await ground.store.commit(keys.map { .factor(.addPasskey($0)) })
      let scanned = try await ground.store.users(after: nil as UserID?, limit: 10)
      let found = Dictionary(uniqueKeysWithValues: scanned.map { ($0.user.id, $0.user.passkeys) })
      #expect(
        found[person] == [
          HeldPasskey(rpID: "example.com", isBackupEligible: false),
          HeldPasskey(rpID: "example.com", isBackupEligible: true),
          HeldPasskey(rpID: "old.example", isBackupEligible: true),
        ])
      #expect(found[UserID(id(2))] == [])
    }
  }
}
