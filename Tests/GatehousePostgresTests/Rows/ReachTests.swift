import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// What concerns one person must not cost more the more people there are, also while no table was ever analysed: then
/// the planner takes a whole tenant for one row.
@Suite struct ReachTests {
  /// One call for the person whose rows are numbered 1.
  struct Call: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let run: @Sendable (any TenantStore, Date) async throws -> Void

    init(_ name: String, _ run: @escaping @Sendable (any TenantStore, Date) async throws -> Void) {
      testDescription = name
      self.run = run
    }

    init(_ name: String, _ change: @escaping @Sendable (Date) -> Change) {
      self.init(name) { store, now in try await store.commit([change(now)]) }
    }
  }

  private static let user = UserID(id(1))
  private static let phone = SessionID(id(100_001))
  private static let linkClaim = TicketClaim(
    hash: numberedHash(1), purpose: .providerLink, provider: "google", session: phone)

  static let calls: [Call] = [
    Call("account by id") { store, _ in _ = try await store.user(id: user) },
    Call("account by address") { store, _ in _ = try await store.user(email: "person1@example.com") },
    Call("password by id") { store, _ in _ = try await store.passwordHash(of: user) },
    Call("some accounts") { store, _ in _ = try await store.users(ids: [user, UserID(id(2))]) },
    Call("a page of accounts") { store, _ in
      _ = try await store.users(after: nil, newest: 5)
    },
    Call("a page of people") { store, _ in _ = try await store.users(after: nil, limit: 5) },
    Call("unique values") { store, _ in
      _ = try await store.taken([UniqueValue(field: "username", key: "n1")], except: nil)
    },
    Call("a user by address") { store, _ in
      _ = try await store.user(found: .email("person1@example.com"))
    },
    Call("a user by username") { store, _ in
      _ = try await store.user(found: .unique(UniqueValue(field: "username", key: "n1")))
    },
    Call("users by a prefix") { store, _ in
      let found = try await store.users(
        named: NameSearch("Person39", of: ["displayName", "other"]), after: nil, limit: 100)
      #expect(found.count == 11)
    },
    Call("session") { store, _ in _ = try await store.session(id: phone) },
    Call("sessions of an account") { store, _ in _ = try await store.sessions(of: user) },
    Call("sightings") { store, _ in
      let seen = try await store.sightings(of: [user, UserID(id(2))], sessionsLasting: 86_400)
      #expect(seen.count == 2)
    },
    Call("push tokens") { store, _ in
      let found = try await store.pushTokens(of: [user], under: Sessions(), after: nil, limit: 10)
      #expect(found.isEmpty)
    },
    Call("removed push tokens") { store, now in
      let stored = StoredPushToken(user: user, session: phone, token: PushToken(platform: .apns, sealed: [1]))
      let removed = try await store.removePushTokens([stored], of: user, noting: entry(.pushTokenRemoved, now))
      #expect(removed == 0)
    },
    Call("presence of a session") { _ in .session(.setPresence(user, online: nil, by: phone)) },
    Call("refresh token") { store, _ in _ = try await store.refreshToken(hash: numberedHash(1)) },
    Call("rotation") { store, _ in
      let rotation = Rotation(
        spent: numberedHash(1), successor: hash(1), sealedSuccessor: [1], idleTTL: 60, maxTTL: 365 * 86_400)
      let exchanged = try await store.rotate(rotation)
      #expect(exchanged?.user.id == user)
    },
    Call("code by link") { store, _ in _ = try await store.code(tokenHash: numberedHash(1), purpose: .verifyEmail) },
    Call("code by digits") { store, _ in
      _ = try await store.tryCodes(.verifyEmail, at: .email("person1@example.com"), decoy: "-", of: .account(user))
    },
    Call("code by digits and id") { store, _ in
      _ = try await store.tryCodes(.completeSignUp, at: .email("stranger1"), decoy: "-", of: .id(id(1_000_001)))
    },
    Call("code by digits alone") { store, _ in
      _ = try await store.tryCodes(.verifyEmail, at: .email("person1@example.com"), decoy: "-", of: .reader)
    },
    Call("code by id") { store, _ in _ = try await store.code(id: id(1_000_001), purpose: .completeSignUp) },
    Call("count of a counter") { store, _ in
      let counted = Reservation(name: "code_per_account", key: "1", count: 1, window: 60)
      _ = try await store.reserve([counted])
      _ = try await store.count(of: counted)
    },
    Call("requester of a code") { store, _ in
      _ = try await store.requester(
        of: .verifyEmail, at: .email("person1@example.com"), decoy: "h1:person1", of: user)
    },
    Call("newest code of an account") { store, _ in
      _ = try await store.newestCode(for: .verifyEmail, to: .email("person1@example.com"), of: user)
    },
    Call("address and device") { store, _ in
      _ = try await store.signInLook(email: "person1@example.com", device: numberedHash(1))
    },
    Call("account and device") { store, _ in
      _ = try await store.signInLook(of: user, device: numberedHash(1))
    },
    Call("address and no device") { store, _ in
      _ = try await store.signInLook(email: "person1@example.com", device: nil)
    },
    Call("new device") { now in
      .device(
        .insert(
          KnownDevice(id: id(9), user: user, hash: hash(9), name: nil, createdAt: now, lastSeenAt: now)))
    },
    Call("second factors") { store, _ in
      let found = try await store.factors(of: user)
      #expect(found.apps.count == 1 && found.codesLeft == 10)
    },
    Call("recovery code") { store, _ in _ = try await store.isLive(recoveryCode: hash(1), of: user) },
    Call("try at an app") { store, _ in
      let found = try await store.reserveAppTry(of: user)
      #expect(found.count == 1)
    },
    Call("new app") { now in
      .factor(.add(AuthenticatorApp(id: id(9), user: user, sealedSeed: [1], name: nil, lastStep: 1, createdAt: now)))
    },
    Call("passkey of an authenticator") { store, _ in
      let found = try await store.passkey(numberedHash(1))
      #expect(found != nil)
    },
    Call("new passkey") { now in .factor(.addPasskey(samplePasskey(9, of: user, now))) },
    Call("used passkey") { _ in
      .factor(
        .usePasskey(
          PasskeyUse(
            id: id(100_001), user: user, signCount: 1, isBackupEligible: true, isBackedUp: true, demandsCount: true)))
    },
    Call("used app") { _ in .factor(.useApp(id(200_001), of: user, step: 2)) },
    Call("app's name") { _ in .factor(.rename(id(200_001), of: user, "phone")) },
    Call("app that goes") { _ in .factor(.remove(id(200_001), of: user)) },
    Call("factors that go") { _ in .factor(.removeAll(user)) },
    Call("new recovery codes") { _ in .factor(.setCodes(user, [hash(1), hash(2)])) },
    Call("remembered device") { _ in .factor(.trust(device: id(200_001), of: user)) },
    Call("sessions of a factor") { _ in .session(.endLifted(user, by: id(200_001), except: SessionID(id(9)))) },
    Call("raised session") { now in
      let before = session(1, of: sampleUser(1, now), now)
      var after = before
      after.id = SessionID(id(9))
      after.proofs = proofs(of: user, .password, at: now)
      return .session(
        .raise(phone, to: after, by: .refreshToken(token(9, of: after, now)), seen: before.proofs))
    },
    Call("forgotten devices") { _ in .device(.forgetAll(user, except: phone)) },
    Call("forgotten device") { _ in .device(.forget(of: phone)) },
    Call("idempotency key") { store, _ in
      _ = try await store.claim(IdempotencyClaim(key: numberedHash(1), body: hash(1), id: id(9), user: user))
    },
    Call("sign-in begun on a known device") { store, _ in
      let attempt = SignInAttempt(signInKey(TenantID(UUID()), "person1@example.com"), within: [])
      let begun = try await store.beginSignIn(attempt, email: "person1@example.com", device: numberedHash(1))
      #expect(begun.look?.device != nil)
    },
    Call("sign-in attempt given back") { store, _ in
      let attempt = SignInAttempt(
        signInKey(TenantID(UUID()), "person1@example.com"),
        within: [Reservation(name: "sign_in_per_ip", key: "k", count: 9, window: 60)])
      _ = try await store.reserveSignIn(attempt)
      try await store.returnSignIn(attempt)
    },
    Call("device of a session") { store, now in
      var opened = session(1, of: sampleUser(1, now), now)
      opened.device = id(200_001)
      let found = try await store.deviceHash(of: opened)
      #expect(found != nil)
    },
    Call("audit of an account") { store, _ in _ = try await store.audit(AuditQuery(user: user), limit: 5) },
    Call("new session") { now in
      let tablet = session(7, of: sampleUser(1, now), now)
      return .session(.insert(tablet, by: .refreshToken(token(7, of: tablet, now)), keeping: 3))
    },
    Call("last sign-in") { store, _ in _ = try await store.lastSignIn(of: user) },
    Call("end of a session") { _ in .session(.end(phone, .revoked)) },
    Call("end of all sessions") { _ in .session(.endAll(user, except: nil, .revoked)) },
    Call("reauthentication") { now in
      .session(
        .reauthenticate(
          phone, proofs(of: user, .password, at: now), seen: session(1, of: sampleUser(1, now), now).proofs))
    },
    Call("rotation in a commit") { _ in
      .session(
        .rotate(
          Rotation(spent: numberedHash(1), successor: hash(1), sealedSuccessor: [1], idleTTL: 60, maxTTL: 365 * 86_400))
      )
    },
    Call("push token") { _ in .session(.setPushToken(phone, nil)) },
    Call("push token of another account") { _ in
      .session(.setPushToken(phone, PushToken(platform: .apns, sealed: [1], digest: hash(1))))
    },
    Call("push tokens without a digest") { store, _ in
      try await store.commit([.session(.setPushToken(phone, PushToken(platform: .apns, sealed: [1])))])
      var found = try await store.pushTokensWithoutDigest(after: nil, limit: 10)
      for index in found.indices { found[index].token.digest = hash(1) }
      try await store.noteDigests(of: found)
      #expect(found.count == 1)
    },
    Call("profile") { _ in
      .user(.updateProfile(user, ["username": "other"], unique: [UniqueValue(field: "username", key: "other")]))
    },
    Call("password") { _ in .user(.setPassword(user, phc: "y", remembering: 3)) },
    Call("last passwords") { store, _ in _ = try await store.passwordHashes(of: user, atMost: 24) },
    Call("address") { _ in .user(.setEmail(user, email: "new@example.com")) },
    Call("presence") { _ in .session(.setPresence(user, online: true)) },
    Call("disabling") { _ in .user(.setDisabled(user, true)) },
    Call("new code") { now in .code(.insert(code(1, .verifyEmail, user: sampleUser(1, now), now))) },
    Call("new code of no account") { now in
      var decoy = code(1, .verifyEmail, user: nil, now)
      decoy.destination = .email("stranger1")
      return .code(.insert(decoy))
    },
    Call("void codes") { _ in .code(.void(user, by: .passwordReset)) },
    Call("void ways back") { now in .code(.voidUndos(user, from: id(200_001), now)) },
    Call("void sign-ups") { _ in .code(.voidSignUps(destination: .email("person1@example.com"))) },
    Call("way back") { store, _ in _ = try await store.undoCode(reserving: "left1") },
    Call("new sign-up") { now in
      var waiting = code(1, .completeSignUp, user: nil, now)
      waiting.destination = .email("stranger1")
      return .code(.insert(waiting))
    },
    Call("authority of a caller") { store, now in
      let me = try #require(try await store.session(id: phone))
      try await store.commit(
        [.session(.setPresence(user, online: true))],
        as: .caller(SignedIn(session: me.session, user: me.user), restingOn: .proof))
    },
    Call("used code") { _ in .code(.use(id(200_001), byToken: true)) },
    Call("identity") { store, _ in
      let found = try await store.identity(issuer: "https://p.example", subject: "1")
      #expect(found?.user.id == user && found?.user.links.count == 1)
    },
    Call("identities") { store, _ in
      let found = try await store.identities(of: user)
      #expect(found.count == 1)
    },
    Call("new link") { now in .provider(.link(identity(of: sampleUser(1, now), subject: "new", now))) },
    Call("changed link") { _ in .provider(.setLink(user, provider: "google", .broken, scopes: [])) },
    Call("removed link") { _ in .provider(.unlink(user, .provider("google"))) },
    Call("untrusted links") { _ in .provider(.unlink(user, .untrusted(keeping: ["spotify"]))) },
    Call("additions") { now in .user(.removeAdditions(user, since: now)) },
    Call("proof by mail") { _ in .user(.noteMailProof(user)) },
    Call("remaining way in") { _ in
      .provider(.requireSignInMethod(user, among: ["password", "google"], passkeysOf: ["example.com"]))
    },
    Call("reclaimed account") { _ in .provider(.reclaim(user, email: "person1@example.com")) },
    Call("erased token") { store, _ in
      let isErased = try await store.isErasedToken(hash: SHA256.digest("e1"), of: .app)
      #expect(isErased)
    },
    Call("new ticket") { now in .ticket(.begin(flow(9, of: sampleUser(1, now)))) },
    Call("new code of a session") { _ in
      .ticket(.begin(Ticket(hash: hash(9), purpose: .authorizationCode, user: user, session: phone)))
    },
    Call("taken ticket") { store, _ in
      let taken = try await store.take(linkClaim)
      #expect(taken?.user == user)
    },
    Call("ticket") { store, _ in
      let found = try await store.ticket(linkClaim)
      #expect(found?.user == user)
    },
    Call("try at a ticket") { store, _ in
      let found = try await store.reserveTry(linkClaim)
      #expect(found?.attempts == 1)
    },
    Call("session of a ticket") { store, _ in
      let found = try await store.session(ofTicket: numberedHash(1), for: .providerLink)
      #expect(found?.user.id == user)
    },
    Call("key of an app") { store, _ in
      let found = try await store.attestKey(id: numberedHash(1))
      #expect(found?.user == user)
    },
    Call("used key of an app") { _ in .attest(.useKey(numberedHash(1), counter: 9)) },
    Call("bound key of an app") { _ in .attest(.bindKey(numberedHash(2), user)) },
    Call("deletion") { _ in .user(.delete(user)) },
  ]

  /// Rows read so far, of every table of ours, by every session.
  private func reads(_ ground: StoreFixture) async throws -> [String: Int] {
    let rows = try await ground.everything(
      """
      SELECT relname::text, (seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint FROM pg_stat_user_tables
      WHERE schemaname = 'gatehouse'
      """)
    return try Dictionary(rows.map { (try $0[0], try $0[1]) }) { first, _ in first }
  }

  /// Runs a call on connections of its own, which tell what they read when they end.
  private func cost(_ call: Call, _ ground: StoreFixture) async throws -> [String: Int] {
    let before = try await reads(ground)
    let own = try await ground.replica()
    try await call.run(PostgresStore(own).open(ground.tenant), ground.now)
    await own.stop()
    while try await isStillThere(ground) {}
    return try await reads(ground).reduce(into: [:]) { $0[$1.key] = $1.value - (before[$1.key] ?? 0) }
  }

  /// Whether a connection that was closed has not gone yet: the fixture's own are counted before any other is made.
  private func isStillThere(_ ground: StoreFixture) async throws -> Bool {
    let rows = try await ground.everything(
      "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND usename = 'gatehouse_app'")
    return try (rows.first?[0] ?? 0) > ground.app.statistics.connected
  }

  @Test("no call about one person reads the rows of many", arguments: calls)
  func reach(_ call: Call) async throws {
    try await withStore { ground async throws in
      try await crowd(ground)
      let cost = try await cost(call, ground)
      #expect(cost.values.reduce(0, +) > 0, "nothing was counted")
      #expect(cost.allSatisfy { $0.value <= 40 }, "\(cost.filter { $0.value > 40 })")
    }
  }

  @Test("a prefix that all names begin with reads as many of them as it may")
  func commonPrefix() async throws {
    try await withStore { ground async throws in
      try await crowd(ground)
      let look = Call("all") { (store: any TenantStore, _: Date) async throws in
        let found = try await store.users(named: NameSearch("person", of: ["displayName"]), after: nil, limit: 20)
        #expect(found.count == 20)
      }
      let cost = try await cost(look, ground)
      #expect((cost["search_key"] ?? 0) <= 40 && (cost["account"] ?? 0) <= 40, "\(cost)")
    }
  }

  @Test("T201 a search for proven names reads none of the unproven ones before them")
  func decoys() async throws {
    try await withStore { ground async throws in
      try await crowd(ground)
      let look = Call("proven") { (store: any TenantStore, _: Date) async throws in
        var search = NameSearch("person", of: ["displayName"])
        search.isProven = true
        let found = try await store.users(named: search, after: nil, limit: 100)
        #expect(found.map(\.key) == ["person399"])
      }
      let cost = try await cost(look, ground)
      #expect((cost["search_key"] ?? 0) <= 8 && (cost["account"] ?? 0) <= 8, "\(cost)")
    }
  }

  @Test("the planner takes a tenant for the whole of every table that has one")
  func statistics() async throws {
    try await withStore { ground async throws in
      let unprepared = try await ground.everything(
        """
        SELECT relname::text FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
        LEFT JOIN pg_stats ON schemaname = 'gatehouse' AND tablename = relname AND pg_stats.attname = 'tenant_id'
        WHERE relnamespace = 'gatehouse'::regnamespace AND relkind = 'r' AND pg_attribute.attname = 'tenant_id'
          AND (n_distinct IS DISTINCT FROM 1 OR most_common_vals IS NOT NULL OR attstattarget <> 0)
        """)
      #expect(try unprepared.map { try $0[0] as String } == [])
    }
  }

  @Test("a call that reads every account is detected")
  func control() async throws {
    try await withStore { ground async throws in
      try await crowd(ground)
      let cost = try await cost(
        Call("search") { store, _ in
          _ = try await store.users(UserFilter(emailContains: "none"), after: nil, through: nil, limit: 5)
        }, ground
      )
      #expect((cost["account"] ?? 0) >= 400)
    }
  }

}

/// As `sha256(n::text::bytea)` of the crowd.
private func numberedHash(_ number: Int) -> [UInt8] { SHA256.digest(String(number)) }
