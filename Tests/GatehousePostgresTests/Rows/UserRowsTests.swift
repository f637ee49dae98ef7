import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePostgres
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite struct UserRowsTests {
  @Test("an account comes back as it went in, by id and by address, with its password's hash")
  func roundTrip() async throws {
    try await withStore { ground async throws in
      var user = sampleUser(1, ground.now)
      user.emailVerifiedAt = ground.now
      user.lastSeen = ground.now
      user.isOnline = true
      user.passwordChangedAt = ground.now
      user.mustChangePassword = true
      user.enteredBy = .signUp
      user.profile = [
        "name": "Zoë \"Z\" \u{1F600}", "age": .integer(.max), "low": .integer(.min), "admin": true, "empty": "",
      ]
      try await ground.store.commit([.user(.insert(user, unique: []))])
      #expect(try await ground.store.user(id: user.id) == user)
      #expect(try await ground.store.user(email: user.address)?.user == user)
      #expect(try await ground.store.user(email: user.address)?.passwordHash == nil)
      try await ground.store.commit([.user(.setPassword(user.id, phc: "$argon2id$x"))])
      #expect(try await ground.store.user(email: user.address)?.passwordHash == "$argon2id$x")
      #expect(try await ground.store.passwordHash(of: user.id) == "$argon2id$x")
      #expect(try await ground.store.passwordHash(of: UserID(id(99))) == nil)
      #expect(try await ground.store.user(email: "Person1@example.com") == nil)
    }
  }

  @Test("accounts without an address live beside one another, and no address finds them")
  func withoutAddress() async throws {
    try await withStore { ground async throws in
      var (one, two) = (sampleUser(1, ground.now), sampleUser(2, ground.now))
      (one.email, two.email) = (nil, nil)
      try await ground.store.commit([.user(.insert(one, unique: [])), .user(.insert(two, unique: []))])
      #expect(try await ground.store.user(id: one.id) == one)
      #expect(try await ground.store.user(email: "") == nil)
      #expect(try await ground.store.users(after: nil, newest: 10).map(\.id) == [two.id, one.id])
      #expect(try await ground.store.users(UserFilter(emailContains: "p"), after: nil, through: nil, limit: 10) == [])
      try await ground.store.commit([.user(.setEmail(one.id, email: "person1@example.com"))])
      #expect(try await ground.store.user(email: "person1@example.com")?.user.id == one.id)
    }
  }

  @Test("no account has a proven address and none")
  func provenWithoutAddress() async throws {
    try await withStore { ground async throws in
      var user = sampleUser(1, ground.now)
      (user.email, user.emailVerifiedAt) = (nil, ground.now)
      await #expect(throws: (any Error).self) { try await ground.store.commit([.user(.insert(user, unique: []))]) }
      #expect(try await ground.store.userCount() == 0)
    }
  }

  @Test("an address and a unique value belong to one account; a second claim changes nothing")
  func unique() async throws {
    try await withStore { ground async throws in
      let plate = UniqueValue(field: "plate", key: "ks 1")
      try await ground.store.commit([.user(.insert(sampleUser(1, ground.now), unique: [plate]))])
      let sameEmail = sampleUser(2, email: "person1@example.com", ground.now)
      #expect(
        await refusal { try await ground.store.commit([.user(.insert(sameEmail, unique: []))]) } == .emailTaken)
      let second = sampleUser(2, ground.now)
      #expect(
        await refusal {
          try await ground.store.commit([
            .audit(entry(.userCreated, ground.now)), .user(.insert(second, unique: [plate])),
          ])
        } == .fieldTaken("plate"))
      #expect(try await ground.store.userCount() == 1)
      #expect(try await ground.store.audit(AuditQuery(event: "user_created"), limit: 10).isEmpty)
      let free = UniqueValue(field: "plate", key: "ks 2")
      #expect(try await ground.store.taken([plate, free], except: nil) == [plate])
      #expect(try await ground.store.taken([plate, free], except: UserID(id(1))) == [])
      #expect(try await ground.store.taken([], except: nil) == [])
    }
  }

  @Test("of 20 accounts that want one address, or one unique value, at the same moment, one gets it")
  func uniqueRace() async throws {
    try await withStore { ground async throws in
      let now = ground.now
      #expect(
        await race(20, failing: .emailTaken) {
          try await ground.store.commit([
            .user(.insert(sampleUser(100 + $0, email: "one@example.com", now), unique: []))
          ])
        } == 1)
      let value = UniqueValue(field: "handle", key: "me")
      #expect(
        await race(20, failing: .fieldTaken("handle")) {
          try await ground.store.commit([.user(.insert(sampleUser(200 + $0, now), unique: [value]))])
        } == 1)
    }
  }

  @Test("fields and their unique values change together, or not at all; others stay")
  func updateProfile() async throws {
    try await withStore { ground async throws in
      let old = UniqueValue(field: "handle", key: "old")
      let taken = UniqueValue(field: "handle", key: "taken")
      let users = [sampleUser(1, ground.now), sampleUser(2, ground.now)]
      try await ground.store.commit([
        .user(.insert(users[0], unique: [old])), .user(.insert(users[1], unique: [taken])),
      ])
      #expect(
        await refusal {
          try await ground.store.commit([.user(.updateProfile(users[0].id, ["handle": "taken"], unique: [taken]))])
        } == .fieldTaken("handle"))
      #expect(try await ground.store.user(id: users[0].id)?.profile == ["name": "Person"])
      #expect(try await ground.store.taken([old], except: nil) == [old])
      ground.clock.advance(seconds: 7)
      let new = UniqueValue(field: "handle", key: "new")
      try await ground.store.commit([
        .user(.updateProfile(users[0].id, ["handle": "new", "gone": .null], unique: [new]))
      ])
      let stored = try await ground.store.user(id: users[0].id)
      #expect(stored?.profile == ["name": "Person", "handle": "new"])
      #expect(stored?.updatedAt == ground.now)
      #expect(try await ground.store.taken([old, new], except: nil) == [new])
      // Its own value again is no conflict, and a field that is not given keeps its own.
      try await ground.store.commit([.user(.updateProfile(users[0].id, ["handle": "new"], unique: [new]))])
      try await ground.store.commit([.user(.updateProfile(users[0].id, ["name": "New"], unique: []))])
      #expect(try await ground.store.taken([new], except: nil) == [new])
      try await ground.store.commit([.user(.updateProfile(users[0].id, ["handle": .null], unique: []))])
      #expect(try await ground.store.user(id: users[0].id)?.profile == ["name": "New"])
      #expect(try await ground.store.taken([new], except: nil).isEmpty)
    }
  }

  @Test("changes of an account that is not there are refused, and nothing beside them happens")
  func missingUser() async throws {
    try await withStore { ground async throws in
      let missing = UserID(id(404))
      let changes: [Change] = [
        .user(.updateProfile(missing, [:], unique: [])), .user(.setPassword(missing, phc: "x")),
        .user(.setEmail(missing, email: "x@example.com")),
        .user(.verifyEmail(missing, email: "x@example.com")), .user(.setDisabled(missing, true)),
        .user(.delete(missing)),
      ]
      for change in changes {
        #expect(
          await refusal { try await ground.store.commit([.audit(entry(.userUpdated, ground.now)), change]) }
            == .refused(.accountExists), "\(change)")
      }
      #expect(try await ground.store.audit(AuditQuery(event: "user_updated"), limit: 10).isEmpty)
    }
  }

  @Test("an address moves with its proof, and is only proven as what it was mailed to")
  func email() async throws {
    try await withStore { ground async throws in
      let users = [sampleUser(1, ground.now), sampleUser(2, ground.now)]
      try await ground.store.commit(users.map { .user(.insert($0, unique: [])) })
      #expect(
        await refusal {
          try await ground.store.commit([.user(.setEmail(users[0].id, email: users[1].address))])
        } == .emailTaken)
      #expect(
        await refusal {
          try await ground.store.commit([.user(.verifyEmail(users[0].id, email: "other@example.com"))])
        } == .refused(.accountExists))
      try await ground.store.commit([.user(.verifyEmail(users[0].id, email: users[0].address))])
      let proven = ground.now
      ground.clock.advance(seconds: 60)
      try await ground.store.commit([.user(.verifyEmail(users[0].id, email: users[0].address))])
      #expect(try await ground.store.user(id: users[0].id)?.emailVerifiedAt == proven)
      try await ground.store.commit([.user(.setEmail(users[0].id, email: "new@example.com"))])
      let moved = try await ground.store.user(email: "new@example.com")?.user
      #expect(moved?.id == users[0].id && moved?.emailVerifiedAt == ground.now)
    }
  }

  @Test("a password is set, marked, replaced by a stronger hash only if it still is the old one")
  func password() async throws {
    try await withStore { ground async throws in
      let user = sampleUser(1, ground.now)
      try await ground.store.commit([
        .user(.insert(user, unique: [])), .user(.setPassword(user.id, phc: "one")),
      ])
      try await ground.store.commit([.user(.setMustChangePassword(user.id, true))])
      #expect(try await ground.store.user(id: user.id)?.mustChangePassword == true)
      try await ground.store.commit([.user(.upgradePassword(user.id, old: "other", phc: "stolen"))])
      #expect(try await ground.store.passwordHash(of: user.id) == "one")
      try await ground.store.commit([.user(.upgradePassword(user.id, old: "one", phc: "two"))])
      #expect(try await ground.store.passwordHash(of: user.id) == "two")
      ground.clock.advance(seconds: 9)
      try await ground.store.commit([.user(.setPassword(user.id, phc: "three"))])
      let stored = try await ground.store.user(id: user.id)
      #expect(stored?.passwordChangedAt == ground.now && stored?.mustChangePassword == false)
    }
  }

  @Test("the last hashes are kept, newest first, as many as are wanted, and go with the account and with the rule")
  func history() async throws {
    try await withStore { ground async throws in
      let (user, other) = (sampleUser(1, ground.now), sampleUser(2, ground.now))
      let store = ground.store
      func known(_ id: UserID) async throws -> [String] { try await store.passwordHashes(of: id, atMost: 24) }
      #expect(try await known(user.id) == [])
      for user in [user, other] {
        try await store.commit([.user(.insert(user, unique: [])), .user(.setPassword(user.id, phc: "0"))])
      }
      #expect(try await known(user.id) == ["0"])
      for number in 1...5 {
        try await store.commit([.user(.setPassword(user.id, phc: "\(number)", remembering: 3))])
      }
      #expect(try await known(user.id) == ["5", "4", "3", "2"])
      #expect(try await store.passwordHashes(of: user.id, atMost: 2) == ["5", "4"])
      #expect(try await known(other.id) == ["0"])
      // A hash of another cost is the same password.
      try await store.commit([.user(.upgradePassword(user.id, old: "5", phc: "five"))])
      try await store.commit([.user(.setPassword(user.id, phc: "6", remembering: 1))])
      #expect(try await known(user.id) == ["6", "five"])
      try await store.commit([.user(.setPassword(user.id, phc: "7", remembering: 0))])
      #expect(try await known(user.id) == ["7"])
      for user in [user, other] {
        try await store.commit([.user(.setPassword(user.id, phc: "8", remembering: 9))])
      }
      try await store.commit([.user(.delete(other.id))])
      let rows = try await ground.everything("SELECT account_id FROM gatehouse.password_history")
      let left: [UUID] = try rows.map { try $0[0] }
      #expect(left == [user.id.uuid])
      for (number, remembers) in [(2, true), (3, false)] {
        try await ground.directory.append([
          PolicyApplication(
            tenant: ground.tenant, revision: StoreFixture.revision(number, ground.now), measuredRules: nil,
            remembersPasswords: remembers, audit: entry(.policyApplied, ground.now))
        ])
        #expect(try await known(user.id) == (remembers ? ["8", "7"] : ["8"]))
      }
    }
  }

  @Test("an account is disabled since the first time, and enabled again")
  func disabled() async throws {
    try await withStore { ground async throws in
      let user = sampleUser(1, ground.now)
      try await ground.store.commit([.user(.insert(user, unique: [])), .user(.setDisabled(user.id, true))])
      let since = ground.now
      ground.clock.advance(seconds: 60)
      try await ground.store.commit([.user(.setDisabled(user.id, true))])
      #expect(try await ground.store.user(id: user.id)?.disabledAt == since)
      try await ground.store.commit([.user(.setDisabled(user.id, false))])
      #expect(try await ground.store.user(id: user.id)?.disabledAt == nil)
    }
  }

  @Test("presence shows which users are online and when they were last seen")
  func presence() async throws {
    try await withStore { ground async throws in
      let user = sampleUser(1, ground.now)
      try await ground.store.commit([
        .user(.insert(user, unique: [])), .session(.setPresence(user.id, online: true)),
      ])
      #expect(try await ground.store.user(id: user.id)?.isOnline == true)
      ground.clock.advance(seconds: 30)
      try await ground.store.commit([.session(.setPresence(user.id, online: false))])
      let stored = try await ground.store.user(id: user.id)
      #expect(stored?.isOnline == false && stored?.lastSeen == ground.now)
    }
  }

  @Test("a deleted account leaves its audit rows and nothing else")
  func delete() async throws {
    try await withStore { ground async throws in
      let user = sampleUser(1, ground.now)
      let phone = session(5, of: user, ground.now)
      let key = signInKey(ground.tenant, user.address)
      _ = try await ground.store.reserveSignIn(key)
      try await ground.store.commit([
        .user(.insert(user, unique: [UniqueValue(field: "handle", key: "me")])),
        .user(.setPassword(user.id, phc: "x")),
        .session(.insert(phone, by: .refreshToken(token(1, of: phone, ground.now)), keeping: 5)),
        .code(.insert(code(7, user: user, ground.now))),
        .audit(AuditEntry(id: UUID(), at: ground.now, event: .userCreated, actor: "system:x", user: user.id)),
      ])
      try await ground.store.commit([.limit(.clearFailures(key)), .user(.delete(user.id))])
      let left = try await ground.everything(
        """
        SELECT (SELECT count(*) FROM gatehouse.account), (SELECT count(*) FROM gatehouse.credential),
          (SELECT count(*) FROM gatehouse.unique_value), (SELECT count(*) FROM gatehouse.session),
          (SELECT count(*) FROM gatehouse.refresh_token), (SELECT count(*) FROM gatehouse.one_time_code),
          (SELECT count(*) FROM gatehouse.sign_in_guard)
        """)
      for column in 0..<7 { #expect(try left[0][column] as Int == 0, "column \(column)") }
      #expect(try await ground.store.audit(AuditQuery(user: user.id), limit: 10).count == 1)
    }
  }

  @Test("accounts are listed newest first, after a cursor, by part of the address taken literally")
  func list() async throws {
    try await withStore { ground async throws in
      for number in 1...5 {
        try await ground.store.commit([.user(.insert(sampleUser(number, ground.now), unique: []))])
      }
      try await ground.store.commit([.user(.insert(sampleUser(6, email: "a%b_c@example.com", ground.now), unique: []))])
      let first = try await ground.store.users(after: nil, newest: 2)
      #expect(first.map(\.id) == [UserID(id(6)), UserID(id(5))])
      let next = try await ground.store.users(after: first.last?.id, newest: 10)
      #expect(next.map(\.id) == [4, 3, 2, 1].map { UserID(id($0)) })
      for (part, count) in [("person", 5), ("%", 1), ("_", 1), ("a%b", 1), ("axb", 0), ("\\", 0), ("", 6)] {
        #expect(
          try await ground.store.users(UserFilter(emailContains: part), after: nil, through: nil, limit: 10).count
            == count, "\(part)")
      }
      let some = try await ground.store.users(ids: [UserID(id(2)), UserID(id(3)), UserID(id(77))])
      #expect(Set(some.map(\.id)) == [UserID(id(2)), UserID(id(3))])
      #expect(try await ground.store.users(ids: []).isEmpty)
      #expect(try await ground.store.userCount() == 6)
    }
  }
}
