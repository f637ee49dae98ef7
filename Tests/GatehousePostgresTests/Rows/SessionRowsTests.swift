import Foundation
import GatehouseIdentity
import GatehousePostgres
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite struct SessionRowsTests {
  /// A person with a password and one session whose token is `hash(1)`.
  private func signIn(_ ground: StoreFixture) async throws -> (user: StoredUser, phone: Session) {
    var user = sampleUser(1, ground.now)
    var phone = session(10, of: user, ground.now)
    phone.proofs = proofs(of: user.id, .password, at: ground.now, tenant: ground.tenant)
    try await ground.store.commit([
      .user(.insert(user, unique: [])),
      .session(.insert(phone, by: .refreshToken(token(1, of: phone, ground.now)), keeping: 5)),
    ])
    (user.isOnline, user.lastSeen) = (true, ground.now)
    return (user, phone)
  }

  private func rotation(
    _ spent: [UInt8], _ successor: [UInt8], sealed: [UInt8] = [1, 2, 3], retry: [UInt8]? = nil
  ) -> Rotation {
    Rotation(
      spent: spent, successor: successor, sealedSuccessor: sealed, retryDigest: retry, idleTTL: 3600,
      maxTTL: 365 * 86_400)
  }

  @Test("a session comes back with its account, and its token with both and the database's time")
  func roundTrip() async throws {
    try await withStore { ground async throws in
      let (user, phone) = try await signIn(ground)
      let found = try #require(try await ground.store.session(id: phone.id))
      #expect(found.session == phone && found.user == user)
      let lookup = try #require(try await ground.store.refreshToken(hash: hash(1)))
      #expect(lookup.token == token(1, of: phone, ground.now))
      #expect(lookup.session == phone && lookup.user == user && lookup.now == ground.now)
      #expect(try await ground.store.refreshToken(hash: hash(2)) == nil)
      #expect(try await ground.store.session(id: SessionID(id(99))) == nil)
    }
  }

  @Test("no session opens for an account that is disabled or gone")
  func disabledUser() async throws {
    try await withStore { ground async throws in
      let (user, _) = try await signIn(ground)
      try await ground.store.commit([.user(.setDisabled(user.id, true))])
      for owner in [user, sampleUser(9, ground.now)] {
        let tablet = session(11, of: owner, ground.now)
        #expect(
          await refusal {
            try await ground.store.commit([
              .session(.insert(tablet, by: .refreshToken(token(2, of: tablet, ground.now)), keeping: 5))
            ])
          } == .refused(.userIsEnabled))
      }
    }
  }

  @Test("a session opens under the password that was checked, and under no other")
  func underPassword() async throws {
    try await withStore { ground async throws in
      let (user, _) = try await signIn(ground)
      try await ground.store.commit([.user(.setPassword(user.id, phc: "new"))])
      for (number, phc) in [(11, "old"), (12, "new")] {
        let tablet = session(number, of: user, ground.now)
        let opening = Change.session(
          .insert(
            tablet, by: .refreshToken(token(UInt8(number), of: tablet, ground.now)), keeping: 5, under: phc))
        let refused = await refusal { try await ground.store.commit([opening]) }
        #expect(refused == (phc == "new" ? nil : .refused(.passwordIsUnchanged)))
        let found = try await ground.store.session(id: tablet.id)
        #expect((found == nil) == (phc == "old"))
      }
      // A password that is set while the session waits for the account is seen.
      let late = session(13, of: user, ground.now)
      let opening = Change.session(
        .insert(
          late, by: .refreshToken(token(13, of: late, ground.now)), keeping: 5, under: "new"))
      #expect(
        await refusal { try await ground.overlap(.user(.setPassword(user.id, phc: "newer")), with: opening) }
          == .refused(.passwordIsUnchanged))
    }
  }

  @Test("T053 a token is spent once, and keeps its sealed successor")
  func rotate() async throws {
    try await withStore { ground async throws in
      let (user, phone) = try await signIn(ground)
      ground.clock.advance(seconds: 60)
      let exchanged = try #require(try await ground.store.rotate(rotation(hash(1), hash(2))))
      let spent = try #require(try await ground.store.refreshToken(hash: hash(1)))
      #expect(spent.token.spentAt == ground.now && spent.token.sealedSuccessor == [1, 2, 3])
      #expect(spent.token.successorHash == hash(2))
      #expect(spent.session.lastSeenAt == ground.now)
      #expect(spent.session.idleExpiresAt == ground.now.addingTimeInterval(3600))
      #expect(exchanged.session == spent.session && exchanged.user == user)
      #expect(try await ground.store.rotate(rotation(hash(1), hash(3))) == nil)
      #expect(try await ground.store.refreshToken(hash: hash(3)) == nil)
      let child = try #require(try await ground.store.refreshToken(hash: hash(2)))
      #expect(child.token == RefreshToken(hash: hash(2), session: phone.id, createdAt: ground.now))
    }
  }

  @Test(
    "T054 the exchange of the successor erases what was sealed for it, in the same statement; the key's digest stays")
  func sealedOnce() async throws {
    try await withStore { ground async throws in
      _ = try await signIn(ground)
      _ = try await ground.store.rotate(rotation(hash(1), hash(2), retry: hash(91)))
      let first = try #require(try await ground.store.refreshToken(hash: hash(1))).token
      #expect(first.retryDigest == hash(91) && first.sealedSuccessor == [1, 2, 3])
      _ = try await ground.store.rotate(rotation(hash(2), hash(3)))
      let overtaken = try #require(try await ground.store.refreshToken(hash: hash(1))).token
      #expect(overtaken.retryDigest == hash(91) && overtaken.sealedSuccessor == nil)
      let second = try #require(try await ground.store.refreshToken(hash: hash(2))).token
      #expect(second.retryDigest == nil && second.sealedSuccessor == [1, 2, 3])
      // An exchange that is taken back erases nothing.
      let user = try #require(try await ground.store.session(id: first.session)).user
      try await ground.store.commit([.user(.setDisabled(user.id, true))])
      #expect(
        await refusal { try await ground.store.rotate(rotation(hash(3), hash(4))) } == .refused(.userIsEnabled))
      #expect(try await ground.store.refreshToken(hash: hash(2))?.token.sealedSuccessor == [1, 2, 3])
    }
  }

  @Test("T055 of 50 exchanges of one token at the same moment on two servers, one happens")
  func rotateRace() async throws {
    try await withStore { ground async throws in
      _ = try await signIn(ground)
      let second = try await ground.replica()
      let stores = [ground.store, PostgresStore(second).open(ground.tenant)]
      let won = try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<50 {
          let wanted = rotation(hash(1), hash(2, UInt8(number)), sealed: [UInt8(number)])
          group.addTask { try await stores[number % 2].rotate(wanted) != nil }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(won == 1)
      let tokens = try await ground.everything("SELECT count(*) FROM gatehouse.refresh_token").first
      #expect(try tokens?[0] == 2)
      let lookup = try #require(try await ground.store.refreshToken(hash: hash(1)))
      #expect(lookup.token.successorHash == hash(2, lookup.token.sealedSuccessor?.first ?? 99))
      #expect(lookup.session.endedAt == nil)
      await second.stop()
    }
  }

  @Test("nothing is exchanged, and no token spent, in a session that ended, expired, or idled too long")
  func deadSession() async throws {
    try await withStore { ground async throws in
      let (user, phone) = try await signIn(ground)
      let tablet = session(11, of: user, ground.now)
      try await ground.store.commit([
        .session(.insert(tablet, by: .refreshToken(token(9, of: tablet, ground.now)), keeping: 5)),
        .session(.end(tablet.id, .revoked)),
      ])
      #expect(
        await refusal { try await ground.store.rotate(rotation(hash(9), hash(10))) } == .refused(.sessionIsLive))
      #expect(try await ground.store.refreshToken(hash: hash(9))?.token.spentAt == nil)
      ground.clock.advance(seconds: 3599)
      try await ground.store.commit([
        .session(
          .reauthenticate(phone.id, proofs(of: phone.user, .password, at: ground.now), seen: phone.proofs))
      ])
      ground.clock.advance(seconds: 1)
      #expect(await refusal { try await ground.store.rotate(rotation(hash(1), hash(2))) } == .refused(.sessionIsLive))
      #expect(
        await refusal {
          try await ground.store.commit([
            .session(
              .reauthenticate(phone.id, proofs(of: phone.user, .password, at: ground.now), seen: phone.proofs))
          ])
        } == .refused(.sessionIsLive))
      #expect(try await ground.store.refreshToken(hash: hash(1))?.token.spentAt == nil)
      #expect(try await ground.store.sessions(of: user.id).isEmpty)
    }
  }

  @Test("T057 nothing is exchanged for an account that is disabled, even where its session was left alive")
  func disabledRotation() async throws {
    try await withStore { ground async throws in
      let (user, _) = try await signIn(ground)
      try await ground.store.commit([.user(.setDisabled(user.id, true))])
      #expect(
        await refusal { try await ground.store.rotate(rotation(hash(1), hash(2))) } == .refused(.userIsEnabled))
      #expect(try await ground.store.refreshToken(hash: hash(1))?.token.spentAt == nil)
      try await ground.store.commit([.user(.setDisabled(user.id, false))])
      let exchanged = try await ground.store.rotate(rotation(hash(1), hash(2)))
      #expect(exchanged != nil)
    }
  }

  @Test("T056 the end that no exchange moves ends a session that never idled")
  func absoluteEnd() async throws {
    try await withStore { ground async throws in
      _ = try await signIn(ground)
      for step in 1...10 {
        ground.clock.advance(seconds: 3500)
        let exchanged = try await ground.store.rotate(rotation(hash(UInt8(step)), hash(UInt8(step + 1))))
        #expect(exchanged != nil)
      }
      ground.clock.advance(seconds: 1000)
      #expect(await refusal { try await ground.store.rotate(rotation(hash(11), hash(12))) } == .refused(.sessionIsLive))
    }
  }

  @Test("T060 the oldest sessions end beyond the number to keep, however many open at once")
  func eviction() async throws {
    try await withStore { ground async throws in
      let user = sampleUser(1, ground.now)
      try await ground.store.commit([.user(.insert(user, unique: []))])
      let now = ground.now
      let won = await race(30, failing: .unavailable) { number in
        let device = session(100 + number, of: user, now.addingTimeInterval(Double(number)))
        try await ground.store.commit([
          .session(.insert(device, by: .refreshToken(token(1, UInt8(number), of: device, now)), keeping: 3))
        ])
      }
      #expect(won == 30)
      let live = try await ground.store.sessions(of: user.id)
      #expect(live.count == 3)
      let ended = try await ground.everything(
        "SELECT count(*) FROM gatehouse.session WHERE end_reason = 'replaced'")
      #expect(try ended.first?[0] == 27)
    }
  }

  @Test(
    "T060 a session that opens while another one is being opened waits for it, and counts it", .timeLimit(.minutes(1)))
  func evictionWaits() async throws {
    try await withStore { ground async throws in
      let user = sampleUser(1, ground.now)
      let now = ground.now
      let store = ground.store
      try await store.commit([.user(.insert(user, unique: []))])
      let devices = [session(10, of: user, now), session(11, of: user, now)]
      let opening = devices.enumerated().map {
        Change.session(.insert($1, by: .refreshToken(token(UInt8($0 + 1), of: $1, now)), keeping: 1))
      }
      try await ground.overlap(opening[0], with: opening[1])
      #expect(try await store.sessions(of: user.id).map(\.id) == [devices[1].id])
    }
  }

  @Test("a new session stays, even when another server's clock is ahead of its own")
  func evictionUnderSkew() async throws {
    try await withStore { ground async throws in
      let user = sampleUser(1, ground.now)
      let ahead = session(10, of: user, ground.now.addingTimeInterval(30))
      let new = session(11, of: user, ground.now)
      try await ground.store.commit([
        .user(.insert(user, unique: [])),
        .session(.insert(ahead, by: .refreshToken(token(1, of: ahead, ground.now)), keeping: 1)),
      ])
      try await ground.store.commit([
        .session(.insert(new, by: .refreshToken(token(2, of: new, ground.now)), keeping: 1))
      ])
      #expect(try await ground.store.sessions(of: user.id).map(\.id) == [new.id])
    }
  }

  @Test("a fresh proof is refused where another one came since the request looked, and nothing is lost")
  func overtaken() async throws {
    try await withStore { ground async throws in
      let (_, phone) = try await signIn(ground)
      ground.clock.advance(seconds: 60)
      let provider = proofs(of: phone.user, .provider, at: ground.now)
      try await ground.store.commit([.session(.reauthenticate(phone.id, provider, seen: phone.proofs))])
      ground.clock.advance(seconds: 1)
      let password = proofs(of: phone.user, .password, at: ground.now)
      #expect(
        await refusal {
          try await ground.store.commit([.session(.reauthenticate(phone.id, password, seen: phone.proofs))])
        } == .refused(.proofsAreAsSeen))
      #expect(try await ground.store.session(id: phone.id)?.session.proofs.all == provider.all)
      try await ground.store.commit([.session(.reauthenticate(phone.id, password, seen: provider))])
      #expect(try await ground.store.session(id: phone.id)?.session.proofs.all == password.all)
    }
  }

  @Test("a fresh proof is noted, and exchanges a refresh token in the same commit, or both are taken back")
  func reauthenticate() async throws {
    try await withStore { ground async throws in
      let (_, phone) = try await signIn(ground)
      ground.clock.advance(seconds: 60)
      try await ground.store.commit([
        .session(.rotate(rotation(hash(1), hash(2)))),
        .session(
          .reauthenticate(
            phone.id, proofs(of: phone.user, .password, .provider, at: ground.now), seen: phone.proofs)),
      ])
      let stored = try #require(try await ground.store.session(id: phone.id)).session
      #expect(stored.proofs.all == proofs(of: phone.user, .password, .provider, at: ground.now).all)
      let old = try #require(try await ground.store.refreshToken(hash: hash(1))).token
      #expect(old.spentAt == ground.now && old.sealedSuccessor == [1, 2, 3] && old.successorHash == hash(2))
      #expect(try await ground.store.refreshToken(hash: hash(2))?.token.spentAt == nil)
      ground.clock.advance(seconds: 60)
      for spent in [hash(1), hash(77)] {
        let again: [Change] = [
          .session(
            .reauthenticate(phone.id, proofs(of: phone.user, .password, at: ground.now), seen: stored.proofs)),
          .session(.rotate(rotation(spent, hash(3)))),
        ]
        #expect(await refusal { try await ground.store.commit(again) } == .refused(.refreshTokenIsUnspent))
      }
      #expect(try await ground.store.session(id: phone.id)?.session.proofs == stored.proofs)
      try await ground.store.commit([.session(.end(phone.id, .signedOut))])
      #expect(
        await refusal { try await ground.store.commit([.session(.rotate(rotation(hash(2), hash(3))))]) }
          == .refused(.sessionIsLive))
    }
  }

  @Test("one, all other or all sessions end; their tokens stay known, their push addresses go")
  func end() async throws {
    try await withStore { ground async throws in
      let user = sampleUser(1, ground.now)
      let devices = (0..<4).map { session(10 + $0, of: user, ground.now) }
      try await ground.store.commit(
        [.user(.insert(user, unique: []))]
          + devices.enumerated().map {
            .session(.insert($1, by: .refreshToken(token(UInt8($0 + 1), of: $1, ground.now)), keeping: 9))
          } + devices.map { .session(.setPushToken($0.id, PushToken(platform: .apns, sealed: [1]))) })
      try await ground.store.commit([.session(.end(devices[0].id, .signedOut))])
      #expect(try await ground.store.sessions(of: user.id).count == 3)
      try await ground.store.commit([.session(.endAll(user.id, except: devices[1].id, .revoked))])
      #expect(try await ground.store.sessions(of: user.id).map(\.id) == [devices[1].id])
      try await ground.store.commit([
        .session(.setPushToken(devices[0].id, PushToken(platform: .fcm, sealed: [2]))),
        .session(.endAll(user.id, except: nil, .passwordChanged)),
      ])
      #expect(try await ground.store.sessions(of: user.id).isEmpty)
      for (index, device) in devices.enumerated() {
        let known = try #require(try await ground.store.refreshToken(hash: hash(UInt8(index + 1))))
        #expect(known.session.id == device.id && known.session.endedAt == ground.now)
      }
      let rows = try await ground.everything(
        "SELECT end_reason, sealed_push_token IS NULL FROM gatehouse.session ORDER BY id")
      #expect(try rows.map { try $0[0] as String } == ["signed_out", "password_changed", "revoked", "revoked"])
      #expect(try rows.allSatisfy { try $0[1] })
    }
  }
}
