import Foundation
import GatehouseIdentity
import GatehousePostgres
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite struct CodeRowsTests {
  private func user(_ ground: StoreFixture) async throws -> StoredUser {
    let user = sampleUser(1, ground.now)
    try await ground.store.commit([.user(.insert(user, unique: []))])
    return user
  }

  @Test("a code comes back by its token's hash for its own purpose only")
  func roundTrip() async throws {
    try await withStore { ground async throws in
      let user = try await user(ground)
      let sent = code(1, user: user, ground.now, payload: [5])
      try await ground.store.commit([.code(.insert(sent))])
      #expect(try await ground.store.code(tokenHash: hash(1), purpose: .resetPassword) == sent)
      for purpose in CodePurpose.allCases where purpose != .resetPassword {
        #expect(try await ground.store.code(tokenHash: hash(1), purpose: purpose) == nil)
      }
      #expect(try await ground.store.code(tokenHash: hash(2), purpose: .resetPassword) == nil)
    }
  }

  @Test("T040 an empty token finds no code, not even one without a token")
  func emptyToken() async throws {
    try await withStore { ground async throws in
      var digitsOnly = code(1, user: nil, ground.now)
      digitsOnly.tokenHash = nil
      try await ground.store.commit([.code(.insert(digitsOnly))])
      #expect(try await ground.store.code(tokenHash: [], purpose: .resetPassword) == nil)
    }
  }

  @Test("a code is used once, and what it carried goes with it")
  func use() async throws {
    try await withStore { ground async throws in
      let sent = code(1, user: try await user(ground), ground.now, payload: [5])
      try await ground.store.commit([.code(.insert(sent))])
      try await ground.store.commit([.code(.use(sent.id, byToken: true))])
      let used = try #require(try await ground.store.code(tokenHash: hash(1), purpose: .resetPassword))
      #expect(used.usedAt == ground.now && used.sealedPayload == nil)
      for byToken in [true, false] {
        #expect(
          await refusal { try await ground.store.commit([.code(.use(sent.id, byToken: byToken))]) }
            == .refused(.codeIsLive))
      }
    }
  }

  @Test("link and digits end each at their own time, by the database's clock", arguments: [true, false])
  func expiry(byToken: Bool) async throws {
    try await withStore { ground async throws in
      let user = try await user(ground)
      try await ground.store.commit([.code(.insert(code(1, user: user, ground.now)))])
      ground.clock.advance(seconds: byToken ? 3600 : 600)
      #expect(
        await refusal { try await ground.store.commit([.code(.use(id(1), byToken: byToken))]) } == .refused(.codeIsLive)
      )
      ground.clock.advance(seconds: -1)
      try await ground.store.commit([.code(.use(id(1), byToken: byToken))])
    }
  }

  @Test("T034 of 50 redemptions at the same moment on two servers, one happens, with its effect")
  func useRace() async throws {
    try await withStore { ground async throws in
      let user = try await user(ground)
      try await ground.store.commit([.code(.insert(code(1, user: user, ground.now)))])
      let second = try await ground.replica()
      let stores = [ground.store, PostgresStore(second).open(ground.tenant)]
      let now = ground.now
      let won = await race(50, failing: .refused(.codeIsLive)) { number in
        try await stores[number % 2].commit([
          .code(.use(id(1), byToken: number % 3 == 0)), .user(.setPassword(user.id, phc: "\(number)")),
          .audit(entry(.passwordReset, now)),
        ])
      }
      #expect(won == 1)
      #expect(try await ground.store.audit(AuditQuery(event: "authn_password_reset"), limit: 100).count == 1)
      await second.stop()
    }
  }

  @Test("T035 a new code voids the older one of its owner and purpose, and no other")
  func supersede() async throws {
    try await withStore { ground async throws in
      let user = try await user(ground)
      try await ground.store.commit([
        .code(.insert(code(1, .changeEmail, user: user, ground.now))),
        .code(.insert(code(2, .verifyEmail, user: user, ground.now))),
        .code(.insert(code(3, .completeSignUp, user: nil, to: "a@example.com", ground.now, payload: [1]))),
        .code(.insert(code(4, .completeSignUp, user: nil, to: "b@example.com", ground.now, payload: [1]))),
      ])
      try await ground.store.commit([
        .code(.insert(code(5, .changeEmail, user: user, to: "new@example.com", ground.now))),
        .code(.insert(code(6, .completeSignUp, user: nil, to: "a@example.com", ground.now, payload: [1]))),
      ])
      let rows = try await ground.everything(
        """
        SELECT superseded_at IS NULL, sealed_payload IS NOT NULL FROM gatehouse.one_time_code ORDER BY id
        """)
      #expect(try rows.map { try $0[0] } == [false, true, true, true, true, true])
      #expect(try rows.map { try $0[1] } == [false, false, true, true, false, true])
      #expect(
        await refusal { try await ground.store.commit([.code(.use(id(1), byToken: true))]) } == .refused(.codeIsLive))
      try await ground.store.commit([.code(.use(id(5), byToken: true))])
    }
  }

  @Test("T035 of two codes asked for at the same moment the later one lives", .timeLimit(.minutes(1)))
  func supersedeRace() async throws {
    try await withStore { ground async throws in
      let user = try await user(ground)
      try await ground.overlap(
        .code(.insert(code(1, .changeEmail, user: user, ground.now))),
        with: .code(.insert(code(2, .changeEmail, user: user, ground.now))))
      #expect(
        await refusal { try await ground.store.commit([.code(.use(id(1), byToken: true))]) } == .refused(.codeIsLive))
      try await ground.store.commit([.code(.use(id(2), byToken: true))])
    }
  }

  @Test("T131 of the sign-ups that wait at one address three live, also where two come at the same moment")
  func waitingSignUps() async throws {
    try await withStore { ground async throws in
      func waiting(_ number: Int) -> Change {
        .code(.insert(code(number, .completeSignUp, user: nil, ground.now, payload: [1])))
      }
      for number in 1...2 { try await ground.store.commit([waiting(number)]) }
      try await ground.overlap(waiting(3), with: waiting(4))
      let rows = try await ground.everything(
        "SELECT superseded_at IS NULL, sealed_payload IS NOT NULL FROM gatehouse.one_time_code ORDER BY id")
      #expect(try rows.map { try $0[0] } == [false, true, true, true])
      #expect(try rows.map { try $0[1] } == [false, true, true, true])
    }
  }

  @Test("T042 a later change of address does not take the way back to an earlier one")
  func undoStays() async throws {
    try await withStore { ground async throws in
      let user = try await user(ground)
      for number in 1...2 {
        try await ground.store.commit([.code(.insert(code(number, .undoEmailChange, user: user, ground.now)))])
      }
      for number in 1...2 {
        await #expect(throws: Never.self) { try await ground.store.commit([.code(.use(id(number), byToken: true))]) }
      }
    }
  }

  @Test("T181 a change of the password voids a change of address and no reset")
  func void() async throws {
    try await withStore { ground async throws in
      let user = try await user(ground)
      try await ground.store.commit([
        .code(.insert(code(1, .resetPassword, user: user, ground.now))),
        .code(.insert(code(2, .changeEmail, user: user, ground.now))),
        .code(.insert(code(3, .verifyEmail, user: user, ground.now))),
        .code(.void(user.id, by: .passwordChanged)),
      ])
      #expect(
        await refusal { try await ground.store.commit([.code(.use(id(2), byToken: true))]) } == .refused(.codeIsLive))
      for number in [1, 3] { try await ground.store.commit([.code(.use(id(number), byToken: true))]) }
    }
  }

  @Test("T184 the tries of an account are counted for its own living codes, and a reader's for none")
  func holders() async throws {
    try await withStore { ground async throws in
      let user = try await user(ground)
      for number in 1...4 {
        ground.clock.advance(seconds: 1)
        try await ground.store.commit([
          .code(.insert(code(number, .verifyEmail, user: user, ground.now), isAskedByAnyone: true))
        ])
      }
      let store = ground.store
      let other = try await store.tryCodes(
        .verifyEmail, at: .email(user.address), decoy: "-", of: .account(UserID(id(900))))
      let readers = try await store.tryCodes(.verifyEmail, at: .email(user.address), decoy: "-", of: .reader)
      let own = try await store.tryCodes(.verifyEmail, at: .email(user.address), decoy: "-", of: .account(user.id))
      #expect(other == [] && readers.map(\.attempts) == [0, 0, 0] && own.map(\.attempts) == [1, 1, 1])
      #expect(Set(own.map(\.id)) == [id(2), id(3), id(4)] && own.allSatisfy { $0.supersededAt == nil })
    }
  }

  @Test("T183 what stands in for a code is kept until its counter has exceeded its limit")
  func madeUp() async throws {
    try await withStore { ground async throws in
      var counter = Reservation(name: "made_up_mails", key: "tenant", count: 1000, window: 3600)
      var bound = counter
      bound.count = 2
      for number in 1...3 {
        try await ground.store.commit([
          .limit(.reserve([counter])),
          .code(.insert(code(number, user: nil, to: "x\(number)", ground.now), within: bound)),
        ])
      }
      counter.count = 3
      #expect(try await ground.store.reserve([counter.asked]) == .exhausted(name: "made_up_mails", retryAfter: 3600))
      #expect(try await ground.everything("SELECT 1 FROM gatehouse.one_time_code").count == 2)
    }
  }

  @Test("T033 tries at the digits are counted on the code of their id before they are compared")
  func attempts() async throws {
    try await withStore { ground async throws in
      let user = try await user(ground)
      try await ground.store.commit([.code(.insert(code(1, user: user, ground.now)))])
      ground.clock.advance(seconds: 1)
      try await ground.store.commit([.code(.insert(code(2, user: user, ground.now)))])
      let store = ground.store
      let tries = await withTaskGroup(of: Int?.self) { group in
        for _ in 0..<20 {
          group.addTask {
            try? await store.tryCodes(.resetPassword, at: .email(user.address), decoy: "-", of: .id(id(2))).first?
              .attempts
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(Set(tries) == Set(1...20))
      #expect(try await store.code(tokenHash: hash(1), purpose: .resetPassword)?.attempts == 0)
      #expect(try await store.tryCodes(.verifyEmail, at: .email(user.address), decoy: "-", of: .id(id(2))) == [])
      #expect(try await store.tryCodes(.resetPassword, at: .email("x@example.com"), decoy: "-", of: .id(id(2))) == [])
    }
  }

  @Test("a code as the release before writes it is one to an address")
  func withoutContact() async throws {
    try await withStore { ground async throws in
      let user = sampleUser(1, ground.now)
      try await ground.store.commit([.user(.insert(user, unique: []))])
      _ = try await ground.app.write(
        ground.tenant.uuid,
        """
        INSERT INTO one_time_code (id, purpose, account_id, destination, token_hash, code_mac, token_expires_at,
          code_expires_at, sealed_payload, created_at, session_id)
        SELECT \(id(2))::uuid, 'verify_email', \(user.id.uuid)::uuid, \(user.address)::text, NULL, \([9] as [UInt8])::bytea,
          gatehouse.now() + interval '1 hour', gatehouse.now() + interval '1 hour', NULL, gatehouse.now(), NULL
        """)
      let found = try await ground.store.newestCode(for: .verifyEmail, to: .email(user.address), of: user.id)
      #expect(found?.destination == .email(user.address))
      let asNumber = try await ground.store.newestCode(for: .verifyEmail, to: .phone(user.address), of: user.id)
      #expect(asNumber == nil)
    }
  }
}
