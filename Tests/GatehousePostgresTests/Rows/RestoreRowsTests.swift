import Foundation
import GatehouseIdentity
import GatehousePostgres
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Rows that live again after a restore")
struct RestoreRowsTests {
  /// Three sessions of one user, and one row of each other kind; how many of a kind live.
  private func fill(_ ground: StoreFixture) async throws {
    let (store, now) = (ground.store, ground.now)
    let user = sampleUser(1, now)
    let claim = IdempotencyClaim(key: hash(1), body: hash(2), id: id(9), user: nil)
    #expect(try await store.claim(claim) == .claimed)
    let phones = (1...3).map { session($0, of: user, now) }
    try await store.commit(
      [.user(.insert(user, unique: [])), .user(.setPassword(user.id, phc: "x"))]
        + phones.enumerated().map {
          .session(.insert($1, by: .refreshToken(token(UInt8($0 + 1), of: $1, now)), keeping: 5))
        } + [
          .code(.insert(code(1, user: user, now))), .ticket(.begin(flow(1, of: user))),
          .message(.enqueue(mail(1, now))),
        ])
  }

  @Test(
    "each kind ends in batches of the size that is asked for, and what ended is counted once",
    arguments: Revived.allCases)
  func batches(_ kind: Revived) async throws {
    try await withStore { ground async throws in
      try await fill(ground)
      let before = try await ground.store.count(kind)
      var ended: [Int] = []
      for _ in 0...before { ended.append(try await ground.store.end(kind, limit: 1)) }
      let after = try await ground.store.count(kind)
      #expect(before == (kind == .sessions ? 3 : 1) && after == 0)
      #expect(ended == [Int](repeating: 1, count: before) + [0])
    }
  }

  @Test("a person whose sessions ended so is offline, and an ended session says why")
  func ended() async throws {
    try await withStore { ground async throws in
      try await fill(ground)
      _ = try await ground.store.end(.sessions, limit: 10)
      let rows = try await ground.everything(
        """
        SELECT is_online, (SELECT count(*) FROM gatehouse.session WHERE end_reason = 'restored' AND ended_at IS NOT NULL)
        FROM gatehouse.account
        """)
      let online: Bool = try #require(rows.first)[0]
      let count: Int = try #require(rows.first)[1]
      #expect(!online && count == 3)
    }
  }

  @Test("a restore is recorded once, with one row of the trail; to another moment it is another one")
  func recorded() async throws {
    try await withStore { ground async throws in
      let moment = ground.now.addingTimeInterval(-600)
      let audit = entry(.databaseRestored, ground.now)
      #expect(try await ground.store.restoredTo() == nil)
      try await ground.store.recordRestore(to: moment, audit: audit)
      #expect(
        await refusal { try await ground.store.recordRestore(to: moment, audit: audit) } == .refused(.restoreIsNews))
      #expect(try await ground.store.restoredTo() == moment)
      #expect(try await ground.store.audit(AuditQuery(), limit: 10).count { $0.event == .databaseRestored } == 1)
    }
  }

  @Test("a challenge from before a restore is used up, and one from after it is not")
  func challenges() async throws {
    try await withStore { ground async throws in
      let now = ground.now
      func use(_ number: UInt8, madeAt moment: Date) async -> StoreError? {
        let mark = AttestMark(digest: hash(number), madeAt: moment, expiresAt: now.addingTimeInterval(300))
        return await refusal { try await ground.store.commit([.attest(.useChallenge(mark))]) }
      }
      let before = await use(1, madeAt: now)
      try await ground.store.recordRestore(
        to: now.addingTimeInterval(-600), audit: entry(.databaseRestored, now))
      let old = await use(2, madeAt: now)
      let new = await use(3, madeAt: now.addingTimeInterval(0.001))
      #expect(before == nil && old == .refused(.attestChallengeIsFresh) && new == nil)
    }
  }

  @Test("an ID token without a nonce from before a restore was used, one with a nonce or from after it was not")
  func idTokens() async throws {
    try await withStore { ground async throws in
      let now = ground.now
      func use(_ number: UInt8, issuedAt moment: Date, isSingle: Bool = true) async -> StoreError? {
        let use = IDTokenUse(
          hash: hash(number), issuedAt: moment, expiresAt: now.addingTimeInterval(600), isSingle: isSingle)
        return await refusal { try await ground.store.commit([.provider(.useIDToken(use))]) }
      }
      let before = await use(1, issuedAt: now)
      try await ground.store.recordRestore(
        to: now.addingTimeInterval(-600), audit: entry(.databaseRestored, now))
      let old = await use(2, issuedAt: now)
      let named = await use(3, issuedAt: now, isSingle: false)
      let new = await use(4, issuedAt: now.addingTimeInterval(1))
      #expect(before == nil && old == .refused(.idTokenIsUnused) && named == nil && new == nil)
    }
  }
}
