import Foundation
import GatehouseIdentity
import GatehousePolicy
@testable import GatehousePostgres
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// Who a search for a name finds: accounts that lack what is demanded do not count.
@Suite struct DirectoryRowsTests {
  private func named(_ name: String, _ number: Int, _ ground: StoreFixture, proven: Bool = true) -> StoredUser {
    var user = sampleUser(number, ground.now)
    user.profile = ["name": .string(name)]
    user.emailVerifiedAt = proven ? ground.now : nil
    return user
  }

  /// 300 accounts whose names begin as that of the one that is looked for, made by `decoy`, and this one behind them.
  private func crowd(
    _ ground: StoreFixture, _ decoy: (inout StoredUser) -> Void = { _ in }, nova: (inout StoredUser) -> Void = { _ in }
  ) async throws -> StoredUser {
    var changes: [Change] = (0..<300).map { number in
      var user = named("Nova \(1000 + number)", 10 + number, ground)
      decoy(&user)
      return .user(.insert(user, unique: []))
    }
    var one = named("Nova Star", 1, ground)
    nova(&one)
    changes.append(.user(.insert(one, unique: [])))
    try await ground.store.commit(changes)
    return one
  }

  private func found(
    _ ground: StoreFixture, after place: NamePlace? = nil, limit: Int = 100, _ demand: (inout NameSearch) -> Void
  ) async throws -> [NamedUser] {
    var search = NameSearch("nova", of: ["name"])
    demand(&search)
    return try await ground.store.users(named: search, after: place, limit: limit)
  }

  @Test("T201 three hundred unproven names before a proven one do not hide it")
  func unproven() async throws {
    try await withStore { ground async throws in
      let one = try await crowd(ground) { $0.emailVerifiedAt = nil }
      #expect(try await found(ground) { $0.isProven = true }.map(\.user.id) == [one.id])
    }
  }

  @Test("T201 three hundred disabled accounts do not hide a name")
  func disabled() async throws {
    try await withStore { ground async throws in
      let one = try await crowd(ground) { $0.disabledAt = ground.now }
      #expect(try await found(ground) { _ in }.map(\.user.id) == [one.id])
    }
  }

  @Test("T201 three hundred names without the demanded field do not hide one with it")
  func unfilled() async throws {
    try await withStore { ground async throws in
      let one = try await crowd(ground) {
        $0.profile["city"] = .string("")
      } nova: {
        $0.profile["city"] = .string("Wichita")
      }
      #expect(try await found(ground) { $0.filled = ["city"] }.map(\.user.id) == [one.id])
    }
  }

  @Test("T201 names without a link, and names linked elsewhere, do not hide one with the demanded link")
  func unlinked() async throws {
    try await withStore { ground async throws in
      let one = try await crowd(ground)
      let other = sampleUser(10, ground.now)
      try await ground.store.commit([
        .provider(.link(identity(of: one, provider: "spotify", subject: "1", ground.now))),
        .provider(.link(identity(of: other, provider: "google", subject: "2", ground.now))),
      ])
      #expect(try await found(ground) { $0.linked = ["spotify"] }.map(\.user.id) == [one.id])
    }
  }

  @Test("T201 a name is found again as soon as its account has what was missing, and no more once that is lost")
  func kept() async throws {
    try await withStore { ground async throws in
      let one = named("Nova Star", 1, ground, proven: false)
      try await ground.store.commit([.user(.insert(one, unique: []))])
      func count(_ changes: [Change], _ demand: (inout NameSearch) -> Void) async throws -> Int {
        try await ground.store.commit(changes)
        return try await found(ground, demand).count
      }
      let link = Change.provider(.link(identity(of: one, provider: "spotify", subject: "1", ground.now)))
      var seen: [Int] = []
      seen.append(try await count([]) { $0.isProven = true })
      seen.append(try await count([.user(.verifyEmail(one.id, email: one.address))]) { $0.isProven = true })
      seen.append(try await count([.user(.setEmail(one.id, email: "new@example.com"))]) { $0.isProven = true })
      seen.append(try await count([link]) { $0.linked = ["spotify"] })
      seen.append(
        try await count([.provider(.setLink(one.id, provider: "spotify", .broken, scopes: []))]) {
          $0.linked = ["spotify"]
        })
      seen.append(
        try await count([.provider(.setLink(one.id, provider: "spotify", .linked, scopes: []))]) {
          $0.linked = ["spotify"]
        })
      seen.append(try await count([.provider(.unlink(one.id, .provider("spotify")))]) { $0.linked = ["spotify"] })
      seen.append(try await count([.user(.setDisabled(one.id, true))]) { _ in })
      seen.append(try await count([.user(.setDisabled(one.id, false))]) { _ in })
      #expect(seen == [0, 1, 1, 1, 0, 1, 0, 0, 1])
    }
  }

  @Test("T201 pages of a search follow each other, and each name comes once")
  func pages() async throws {
    try await withStore { ground async throws in
      _ = try await crowd(ground)
      var place: NamePlace?
      var keys: [String] = []
      while true {
        let page = try await found(ground, after: place, limit: 90) { _ in }
        keys += page.map(\.key)
        guard page.count == 90, let last = page.last else { break }
        place = NamePlace(key: last.key, user: last.user.id)
      }
      #expect(keys.count == 301 && keys == keys.sorted() && keys.last == "nova star")
    }
  }

  @Test("T201 a name that an account of an older build stored is found")
  func older() async throws {
    try await withStore { ground async throws in
      let one = try await crowd(ground) { $0.emailVerifiedAt = nil }
      let rows = try await ground.everything(
        "SELECT count(*) FROM gatehouse.search_key WHERE standing IS DISTINCT FROM gatehouse.standing(tenant_id, account_id)"
      )
      #expect(try rows[0][0] as Int64 == 0)
      #expect(try await found(ground) { _ in }.count == 100)
      #expect(try await found(ground) { $0.isProven = true }.first?.user.id == one.id)
    }
  }
}
