import Foundation
import GatehouseIdentity
import GatehousePolicy
@testable import GatehousePostgres
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Rows of second factors")
struct FactorRowsTests {
  private func app(_ number: Int, of user: StoredUser, step: Int64 = 10, _ now: Date) -> AuthenticatorApp {
    AuthenticatorApp(
      id: id(number), user: user.id, sealedSeed: [UInt8(number)], name: "app \(number)", lastStep: step, createdAt: now)
  }

  /// An account with these apps, and two recovery codes.
  private func enrolled(
    _ apps: [Int] = [1], codes: [[UInt8]] = [hash(1), hash(2)], _ body: (StoreFixture, StoredUser) async throws -> Void
  ) async throws {
    try await withStore { ground async throws in
      let user = sampleUser(1, ground.now)
      try await ground.store.commit(
        [.user(.insert(user, unique: []))] + apps.map { .factor(.add(app($0, of: user, ground.now))) }
          + (codes.isEmpty ? [] : [.factor(.setCodes(user.id, codes))]))
      try await body(ground, user)
    }
  }

  private func account(_ ground: StoreFixture, _ user: StoredUser) async throws -> (factors: [String], epoch: Int64) {
    let stored = try #require(try await ground.store.user(id: user.id))
    return (stored.factors, stored.epoch)
  }

  private func write(_ ground: StoreFixture, _ statement: SQL) async throws {
    let all = try await ground.place.connect(user: Embedded.superuser)
    _ = try await all.write(nil, [statement])
    await all.stop()
  }

  // MARK: What the account knows

  @Test("an app comes back as it was written, with the count of codes")
  func roundTrip() async throws {
    try await enrolled([1, 2]) { ground, user async throws in
      let stored = try await ground.store.factors(of: user.id)
      #expect(stored.apps.map(\.id) == [id(1), id(2)] && stored.codesLeft == 2 && !stored.isLocked)
      var first = app(1, of: user, ground.now)
      first.lastUsedAt = ground.now
      #expect(stored.apps.first == first)
      #expect(try await ground.store.factors(of: sampleUser(2, ground.now).id) == StoredFactors(apps: [], codesLeft: 0))
    }
  }

  @Test("the account's list follows each statement that adds or removes a factor")
  func list() async throws {
    try await enrolled(codes: []) { ground, user async throws in
      #expect(try await account(ground, user).factors == ["totp"])
      try await ground.store.commit([.factor(.setCodes(user.id, [hash(1)]))])
      #expect(try await account(ground, user).factors == ["totp", "recovery_code"])
      try await ground.store.commit([.factor(.useCode(user.id, hash(1)))])
      #expect(try await account(ground, user).factors == ["totp"])
      try await ground.store.commit([.factor(.setCodes(user.id, [hash(3), hash(4)]))])
      try await write(ground, "DELETE FROM gatehouse.recovery_code WHERE mac = \(hash(3))")
      #expect(try await account(ground, user).factors == ["totp", "recovery_code"])
      try await write(ground, "DELETE FROM gatehouse.recovery_code")
      #expect(try await account(ground, user).factors == ["totp"])
      try await write(ground, "DELETE FROM gatehouse.totp")
      #expect(try await account(ground, user).factors == [])
    }
  }

  @Test(
    "each app more or less raises the epoch, also beside another one, and another set of codes; a used code does not")
  func epoch() async throws {
    try await enrolled { ground, user async throws in
      var last = try await account(ground, user).epoch
      func rises(_ change: FactorChange) async throws -> Bool {
        try await ground.store.commit([.factor(change)])
        let epoch = try await account(ground, user).epoch
        defer { last = epoch }
        return epoch > last
      }
      #expect(try await rises(.add(app(2, of: user, ground.now))))
      #expect(try await !rises(.useCode(user.id, hash(1))))
      #expect(try await !rises(.useApp(id(2), of: user.id, step: 11)))
      #expect(try await !rises(.rename(id(2), of: user.id, nil)))
      #expect(try await !rises(.useCode(user.id, hash(2))))
      #expect(try await rises(.remove(id(2), of: user.id)))
      #expect(try await rises(.setCodes(user.id, [hash(5)])))
      #expect(try await rises(.removeAll(user.id)))
    }
  }

  @Test("the codes end with the last app, and not before")
  func codes() async throws {
    try await enrolled([1, 2]) { ground, user async throws in
      try await ground.store.commit([.factor(.remove(id(1), of: user.id))])
      #expect(try await ground.store.factors(of: user.id).codesLeft == 2)
      try await ground.store.commit([.factor(.remove(id(2), of: user.id))])
      #expect(try await ground.store.factors(of: user.id).codesLeft == 0)
      let rows = try await ground.everything("SELECT count(*) FROM gatehouse.recovery_code")
      #expect(try rows[0][0] as Int == 0)
    }
  }

  @Test("an account that goes takes its factors with it")
  func deleted() async throws {
    try await enrolled { ground, user async throws in
      try await ground.store.commit([.user(.delete(user.id))])
      for table in ["totp", "recovery_code"] {
        let rows = try await ground.everything("SELECT count(*) FROM gatehouse.\(identifier: table)")
        #expect(try rows[0][0] as Int == 0, "\(table)")
      }
    }
  }

  // MARK: Use

  @Test("T104 a step is taken once, and none before it")
  func steps() async throws {
    try await enrolled { ground, user async throws in
      for (step, isTaken) in [(10, false), (9, false), (11, true), (11, false), (13, true), (12, false)]
        as [(Int64, Bool)]
      {
        let refused = await refusal {
          try await ground.store.commit([.factor(.useApp(id(1), of: user.id, step: step))])
        }
        #expect(refused == (isTaken ? nil : .refused(.factorIsUnused)), "\(step)")
      }
      #expect(try await ground.store.factors(of: user.id).apps[0].lastStep == 13)
    }
  }

  @Test("of two uses of one code at once, one is refused", arguments: [true, false])
  func once(isApp: Bool) async throws {
    try await enrolled { ground, user async throws in
      let use: Change =
        isApp ? .factor(.useApp(id(1), of: user.id, step: 11)) : .factor(.useCode(user.id, hash(1)))
      #expect(await refusal { try await ground.overlap(use, with: use) } == .refused(.factorIsUnused))
    }
  }

  @Test("of many uses of one code at once, one is taken", arguments: [true, false])
  func race(isApp: Bool) async throws {
    try await enrolled { ground, user async throws in
      let other = PostgresStore(try await ground.replica()).open(ground.tenant)
      let use: Change =
        isApp ? .factor(.useApp(id(1), of: user.id, step: 11)) : .factor(.useCode(user.id, hash(1)))
      let taken = await withTaskGroup(of: Bool.self) { group in
        for number in 0..<20 {
          let store = number % 2 == 0 ? ground.store : other
          group.addTask { await refusal { try await store.commit([use]) } == nil }
        }
        return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(taken == 1)
    }
  }

  @Test("another account's app or code is not found")
  func foreign() async throws {
    try await enrolled { ground, user async throws in
      let other = sampleUser(2, ground.now)
      try await ground.store.commit([.user(.insert(other, unique: []))])
      let changes: [(FactorChange, StoreError.Condition)] = [
        (.useApp(id(1), of: other.id, step: 99), .factorIsUnused), (.useCode(other.id, hash(1)), .factorIsUnused),
        (.rename(id(1), of: other.id, nil), .factorExists), (.remove(id(1), of: other.id), .factorExists),
      ]
      for (change, condition) in changes {
        let refused = await refusalOf(change, in: ground.store)
        #expect(refused == .refused(condition))
      }
      let (isOfOther, isOfOwner) = (
        try await ground.store.isLive(recoveryCode: hash(1), of: other.id),
        try await ground.store.isLive(recoveryCode: hash(1), of: user.id)
      )
      #expect(!isOfOther && isOfOwner)
    }
  }

  @Test("a sixth app is refused")
  func sixth() async throws {
    try await enrolled { ground, user async throws in
      for number in 2...5 { try await ground.store.commit([.factor(.add(app(number, of: user, ground.now)))]) }
      let sixth = await refusalOf(.add(app(6, of: user, ground.now)), in: ground.store)
      #expect(sixth == .refused(.factorHasRoom))
      let other = sampleUser(2, ground.now)
      try await ground.store.commit([.user(.insert(other, unique: [])), .factor(.add(app(7, of: other, ground.now)))])
    }
  }

  private func refusalOf(_ change: FactorChange, in store: any TenantStore) async -> StoreError? {
    await refusal { try await store.commit([.factor(change)]) }
  }

  @Test("another tenant's factors are neither found nor used")
  func tenants() async throws {
    try await enrolled { ground, user async throws in
      let other = try await ground.makeTenant("second")
      #expect(try await other.store.factors(of: user.id) == StoredFactors(apps: [], codesLeft: 0))
      #expect(try await !other.store.isLive(recoveryCode: hash(1), of: user.id))
      #expect(try await other.store.reserveAppTry(of: user.id) == [])
      for change: FactorChange in [
        .useApp(id(1), of: user.id, step: 99), .useCode(user.id, hash(1)), .remove(id(1), of: user.id),
      ] {
        let refused = await refusalOf(change, in: other.store)
        #expect(refused != nil)
      }
      try await other.store.commit([.factor(.removeAll(user.id))])
      #expect(try await ground.store.factors(of: user.id).apps.count == 1)
      // The same ids and MACs are free there.
      let same = sampleUser(1, ground.now)
      try await other.store.commit([
        .user(.insert(same, unique: [])), .factor(.add(app(1, of: same, ground.now))),
        .factor(.setCodes(same.id, [hash(1)])),
      ])
    }
  }

  // MARK: Tries

  @Test("T105 each try counts for all apps of the account, a right code begins anew, and after a hundred none is given")
  func tries() async throws {
    try await enrolled([1, 2]) { ground, user async throws in
      #expect(try await ground.store.reserveAppTry(of: user.id).map(\.failures) == [1, 1])
      try await ground.store.commit([.factor(.useApp(id(1), of: user.id, step: 11))])
      #expect(try await ground.store.factors(of: user.id).apps.map(\.failures) == [0, 0])
      for _ in 1..<AuthenticatorApp.maxFailures { _ = try await ground.store.reserveAppTry(of: user.id) }
      #expect(try await ground.store.reserveAppTry(of: user.id).map(\.failures) == [100, 100])
      #expect(try await ground.store.reserveAppTry(of: user.id) == [])
      #expect(try await ground.store.factors(of: user.id).isLocked)
      try await ground.store.commit([.factor(.useCode(user.id, hash(1)))])
      #expect(try await ground.store.reserveAppTry(of: user.id).count == 2)
    }
  }

  @Test("T105 tries at the same moment at two servers are all counted")
  func countedAtOnce() async throws {
    try await enrolled { ground, user async throws in
      let other = PostgresStore(try await ground.replica()).open(ground.tenant)
      let given = try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<120 {
          let store = number % 2 == 0 ? ground.store : other
          group.addTask { try await store.reserveAppTry(of: user.id).count }
        }
        return try await group.reduce(0, +)
      }
      #expect(given == AuthenticatorApp.maxFailures)
    }
  }

  // MARK: Remembered devices

  @Test("M05 a device is remembered under the epoch of its account, and not after it")
  func remembered() async throws {
    try await enrolled([1, 2]) { ground, user async throws in
      let device = KnownDevice(
        id: id(8), user: user.id, hash: hash(8), name: nil, createdAt: ground.now, lastSeenAt: ground.now)
      try await ground.store.commit([
        .device(.insert(device)), .factor(.trust(device: device.id, of: user.id)),
      ])
      func trusted() async throws -> Date? {
        try await ground.store.signInLook(of: user.id, device: hash(8))?.device?.trustedAt
      }
      #expect(try await trusted() == ground.now)
      #expect(try await ground.store.signInLook(email: user.address, device: hash(8))?.device?.trustedAt == ground.now)
      try await ground.store.commit([.factor(.remove(id(2), of: user.id))])
      #expect(try await trusted() == nil)
      try await ground.store.commit([.factor(.trust(device: device.id, of: user.id))])
      #expect(try await trusted() == ground.now)
      try await ground.store.commit([.user(.setPassword(user.id, phc: "z"))])
      #expect(try await trusted() == nil)
    }
  }

  @Test("M05 another account's device is not remembered")
  func foreignDevice() async throws {
    try await enrolled { ground, user async throws in
      let other = sampleUser(2, ground.now)
      let device = KnownDevice(
        id: id(8), user: other.id, hash: hash(8), name: nil, createdAt: ground.now, lastSeenAt: ground.now)
      try await ground.store.commit([.user(.insert(other, unique: [])), .device(.insert(device))])
      try await ground.store.commit([.factor(.trust(device: device.id, of: user.id))])
      let rows = try await ground.everything("SELECT count(*) FROM gatehouse.device WHERE trusted_at IS NOT NULL")
      #expect(try rows[0][0] as Int == 0)
    }
  }

  @Test("the last recovery code leaves the epoch, and so the devices that are remembered")
  func lastCode() async throws {
    try await enrolled { ground, user async throws in
      try await ground.store.commit([.factor(.setCodes(user.id, [hash(90)]))])
      let before = try #require(try await ground.store.user(id: user.id))
      try await ground.store.commit([.factor(.useCode(user.id, hash(90)))])
      let after = try #require(try await ground.store.user(id: user.id))
      #expect(after.factors == ["totp"] && before.factors == ["totp", "recovery_code"] && after.epoch == before.epoch)
    }
  }

  @Test("another app begins the count of wrong codes again, for all apps of the account")
  func failuresOfAnother() async throws {
    try await enrolled { ground, user async throws in
      for _ in 0..<3 { _ = try await ground.store.reserveAppTry(of: user.id) }
      try await ground.store.commit([.factor(.add(app(2, of: user, ground.now)))])
      let failures = try await ground.store.factors(of: user.id).apps.map(\.failures)
      #expect(failures == [0, 0])
    }
  }

  @Test("a grace begins once, and ends where nothing is asked")
  func grace() async throws {
    try await enrolled { ground, user async throws in
      try await ground.store.commit([.factor(.ask(user.id, true))])
      let first = try await ground.store.user(id: user.id)?.mfaAskedAt
      ground.clock.advance(seconds: 60)
      try await ground.store.commit([.factor(.ask(user.id, true))])
      let second = try await ground.store.user(id: user.id)?.mfaAskedAt
      #expect(first != nil && second == first)
      try await ground.store.commit([.factor(.ask(user.id, false))])
      let third = try await ground.store.user(id: user.id)?.mfaAskedAt
      #expect(third == nil)
    }
  }

  // MARK: Raised sessions

  /// A session, as it goes on after a proof.
  private func raised(_ ground: StoreFixture, _ user: StoredUser) async throws -> (before: Session, after: Session) {
    let before = session(2, of: user, ground.now)
    try await ground.store.commit([
      .session(.insert(before, by: .refreshToken(token(1, of: before, ground.now)), keeping: 5)),
      .session(.setPushToken(before.id, PushToken(platform: .apns, sealed: [1], digest: hash(7)))),
    ])
    ground.clock.advance(seconds: 60)
    var after = before
    after.id = SessionID(id(3))
    after.proofs = Proofs(
      tenant: ground.tenant, user: user.id, first: before.proofs.newest,
      [Proof(method: .totp, factor: id(1), at: ground.now)])
    return (before, after)
  }

  @Test("a raised session ends, and goes on under another id with its times and device, but not its push token")
  func goesOn() async throws {
    try await enrolled { ground, user async throws in
      let (before, after) = try await raised(ground, user)
      try await ground.store.commit([
        .session(.raise(before.id, to: after, by: .refreshToken(token(2, of: after, ground.now)), seen: before.proofs))
      ])
      let living = try await ground.store.sessions(of: user.id)
      #expect(living.map(\.id) == [after.id] && living.first?.proofs.level == .aal2)
      #expect(living.first?.createdAt == before.createdAt && living.first?.expiresAt == before.expiresAt)
      let rows = try await ground.everything(
        "SELECT end_reason, sealed_push_token IS NULL FROM gatehouse.session ORDER BY id")
      #expect(try rows.map { try $0[0] as String? } == ["raised", nil])
      #expect(try rows.allSatisfy { try $0[1] as Bool })
      #expect(try await ground.store.refreshToken(hash: hash(2)) != nil)
    }
  }

  @Test("a session that has ended, or that another proof came to meanwhile, is not raised", arguments: [true, false])
  func overtaken(isEnded: Bool) async throws {
    try await enrolled { ground, user async throws in
      let (before, after) = try await raised(ground, user)
      let seen = Proofs(
        tenant: ground.tenant, user: user.id, first: Proof(method: .password, at: ground.now.addingTimeInterval(-1)), []
      )
      try await ground.store.commit([
        isEnded
          ? .session(.end(before.id, .revoked)) : .session(.reauthenticate(before.id, seen, seen: before.proofs))
      ])
      let refused = await refusal {
        try await ground.store.commit([
          .session(
            .raise(before.id, to: after, by: .refreshToken(token(2, of: after, ground.now)), seen: before.proofs))
        ])
      }
      #expect(refused == .refused(isEnded ? .sessionIsLive : .proofsAreAsSeen))
      #expect(try await ground.store.session(id: after.id) == nil)
    }
  }
}
