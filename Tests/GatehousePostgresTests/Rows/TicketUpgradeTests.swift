import Foundation
import GatehouseIdentity
@testable import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// The statements of the release before tickets, as its servers send them.
private enum Former {
  static func begin(
    _ seed: UInt8, _ purpose: String, holder: UInt8? = nil, user: UserID? = nil, session: SessionID? = nil, _ now: Date
  ) -> SQL {
    """
    INSERT INTO provider_flow (state_hash, provider, purpose, holder_hash, account_id, session_id, sealed_payload,
      created_at, expires_at)
    VALUES (\(hash(seed)), \("google"), \(purpose), \(holder.map { hash($0) }), \(user?.uuid),
      \(session?.uuid), \([UInt8]([1, 2])), \(now), \(now.addingTimeInterval(600)))
    """
  }

  static func take(_ seed: UInt8, _ purpose: String, holder: UInt8? = nil, session: SessionID? = nil) -> SQL {
    """
    DELETE FROM provider_flow WHERE state_hash = \(hash(seed))
      AND provider = \("google") AND purpose = \(purpose)
      AND holder_hash IS NOT DISTINCT FROM \(holder.map { hash($0) })::bytea
      AND session_id IS NOT DISTINCT FROM \(session?.uuid)::uuid
      AND expires_at > gatehouse.now() RETURNING account_id, sealed_payload, created_at, expires_at
    """
  }

  static func beginCode(_ seed: UInt8, _ session: Session) -> [SQL] {
    [
      """
      INSERT INTO hand_back (code_hash, account_id, session_id, challenge_hash, created_at, expires_at)
      VALUES (\(hash(seed)), \(session.user.uuid), \(session.id.uuid), \(hash(100)), gatehouse.now(),
        gatehouse.now() + make_interval(secs => \(60.0)))
      """,
      """
      DELETE FROM hand_back WHERE code_hash = ANY (ARRAY(
        SELECT code_hash FROM hand_back WHERE session_id = \(session.id.uuid)
        ORDER BY created_at DESC OFFSET \(5)))
      """,
    ]
  }

  static func findCode(_ seed: UInt8) -> SQL {
    """
    SELECT session.id FROM hand_back
    JOIN session ON session.id = hand_back.session_id JOIN account ON account.id = session.account_id
    WHERE code_hash = \(hash(seed))
    """
  }

  static func takeCode(_ seed: UInt8) -> SQL {
    """
    DELETE FROM hand_back WHERE code_hash = \(hash(seed)) AND challenge_hash = \(hash(100))
      AND expires_at > gatehouse.now() RETURNING 1
    """
  }

  static func reclaim(_ user: UserID) -> SQL { "DELETE FROM provider_flow WHERE account_id = \(user.uuid)" }

  static let count: SQL = "SELECT count(*) FROM provider_flow"
  static let restore: SQL = """
    WITH ended AS (DELETE FROM provider_flow WHERE ctid = ANY (ARRAY(SELECT ctid FROM provider_flow LIMIT \(1)))
      RETURNING 1) SELECT count(*) FROM ended
    """
}

@Suite("Tickets beside servers of the release before")
struct TicketUpgradeTests {
  private func signIn(_ store: any TenantStore, _ now: Date) async throws -> (user: StoredUser, browser: Session) {
    let user = sampleUser(1, now)
    let browser = session(10, of: user, now)
    try await store.commit([
      .user(.insert(user, unique: [])),
      .session(.insert(browser, by: .refreshToken(token(1, of: browser, now)), keeping: 5)),
    ])
    return (user, browser)
  }

  private func signInTicket(_ seed: UInt8) -> Ticket {
    Ticket(
      hash: hash(seed), purpose: .providerSignIn, provider: "google", client: "first", holderHash: hash(7),
      sealedPayload: [1, 2])
  }

  private func linkTicket(_ seed: UInt8, _ session: Session) -> Ticket {
    Ticket(
      hash: hash(seed), purpose: .providerLink, provider: "google", user: session.user, session: session.id,
      client: "first", sealedPayload: [1, 2])
  }

  private func browserCode(_ seed: UInt8) -> Ticket {
    Ticket(
      hash: hash(seed), purpose: .browserSignInCode, provider: "google", client: "first", holderHash: hash(7),
      sealedPayload: [1, 2])
  }

  private func code(_ seed: UInt8, _ session: Session) -> Ticket {
    Ticket(
      hash: hash(seed), purpose: .authorizationCode, user: session.user, session: session.id, client: "first",
      holderHash: hash(100))
  }

  /// The rows that a statement of the server before wrote or gave.
  private func affected(_ ground: StoreFixture, _ statement: SQL, as tenant: TenantID? = nil) async throws -> Int {
    try await ground.app.write((tenant ?? ground.tenant).uuid, statement).affected
  }

  @Test("a way that a server of the release before began is finished by this one, once")
  func begunBefore() async throws {
    try await withStore { ground async throws in
      let (user, browser) = try await signIn(ground.store, ground.now)
      let tenant = ground.tenant.uuid
      _ = try await ground.app.write(
        tenant,
        [
          Former.begin(1, "sign_in", holder: 7, ground.now),
          Former.begin(2, "link", user: user.id, session: browser.id, ground.now),
          Former.begin(3, "hand_back", holder: 7, ground.now),
        ] + Former.beginCode(4, browser))
      for begun in [signInTicket(1), linkTicket(2, browser), browserCode(3)] {
        #expect(try await ground.store.take(claim(begun)) == begun)
        #expect(try await ground.store.take(claim(begun)) == nil)
      }
      #expect(try await ground.store.session(ofTicket: hash(4), for: .authorizationCode)?.session.id == browser.id)
      try await ground.store.commit([.ticket(.take(claim(code(4, browser))))])
      #expect(try await affected(ground, Former.takeCode(4)) == 0)
    }
  }

  @Test("a way that this server began is finished by one of the release before, once")
  func begunHere() async throws {
    try await withStore { ground async throws in
      let (user, browser) = try await signIn(ground.store, ground.now)
      try await ground.store.commit([
        .ticket(.begin(signInTicket(1))), .ticket(.begin(linkTicket(2, browser))), .ticket(.begin(browserCode(3))),
        .ticket(.begin(code(4, browser))),
      ])
      let linked = try await ground.app.write(
        ground.tenant.uuid, Former.take(2, "link", session: browser.id))
      #expect(try linked[0][0] as UUID == user.id.uuid)
      #expect(try linked[0][1] as [UInt8] == [1, 2])
      #expect(try linked[0][3] as Date == ground.now.addingTimeInterval(600))
      #expect(try await affected(ground, Former.take(1, "sign_in", holder: 7)) == 1)
      #expect(try await affected(ground, Former.take(3, "hand_back", holder: 7)) == 1)
      #expect(try await ground.app.read(ground.tenant.uuid, Former.findCode(4))[0][0] as UUID == browser.id.uuid)
      #expect(try await affected(ground, Former.takeCode(4)) == 1)
      for begun in [signInTicket(1), linkTicket(2, browser), browserCode(3), code(4, browser)] {
        #expect(try await ground.store.take(claim(begun)) == nil)
      }
    }
  }

  @Test("T100 of takers at servers of both releases one gets the ticket")
  func onceAmongBoth() async throws {
    try await withStore { ground async throws in
      let begun = signInTicket(1)
      try await ground.store.commit([.ticket(.begin(begun))])
      let (store, app, tenant) = (ground.store, ground.app, ground.tenant.uuid)
      let taken = await withTaskGroup(of: Bool.self) { group in
        for number in 0..<50 {
          group.addTask {
            if number.isMultiple(of: 2) { return (try? await store.take(claim(begun))) != nil }
            return (try? await app.write(tenant, Former.take(1, "sign_in", holder: 7)).affected) == 1
          }
        }
        return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(taken == 1)
    }
  }

  @Test("a server of the release before sees the rows of its tenant alone, and none of purposes that it does not know")
  func walls() async throws {
    try await withStore { ground async throws in
      let other = try await ground.makeTenant("second")
      let (user, browser) = try await signIn(ground.store, ground.now)
      let second = Ticket(hash: hash(5), purpose: .secondFactor, user: user.id, holderHash: hash(7))
      try await ground.store.commit([
        .ticket(.begin(signInTicket(1))), .ticket(.begin(code(4, browser))), .ticket(.begin(second)),
      ])
      #expect(try await affected(ground, Former.take(1, "sign_in", holder: 7), as: other.id) == 0)
      #expect(try await affected(ground, Former.takeCode(4), as: other.id) == 0)
      #expect(try await ground.app.read(other.id.uuid, Former.count)[0][0] == 0)
      #expect(try await ground.app.read(ground.tenant.uuid, Former.count)[0][0] == 1)
      #expect(try await affected(ground, Former.take(5, "second_factor", holder: 7)) == 0)
      let foreign: SQL = """
        INSERT INTO provider_flow (tenant_id, state_hash, provider, purpose, sealed_payload, created_at, expires_at)
        VALUES (\(other.id.uuid), \(hash(6)), 'google', 'sign_in', '', now(), now())
        """
      #expect(await failure { try await ground.app.write(ground.tenant.uuid, foreign) }?.sqlState == "42501")
    }
  }

  @Test("a server of the release before keeps a session's newest codes, ends flows, and loses them with their account")
  func housekeeping() async throws {
    try await withStore { ground async throws in
      let (user, browser) = try await signIn(ground.store, ground.now)
      let tenant = ground.tenant.uuid
      for seed: UInt8 in 10..<17 {
        _ = try await ground.app.write(tenant, Former.beginCode(seed, browser))
        ground.clock.advance(seconds: 1)
      }
      let codes: SQL = "SELECT count(*) FROM hand_back"
      #expect(try await ground.app.read(tenant, codes)[0][0] == 5)
      try await ground.store.commit([.ticket(.begin(linkTicket(2, browser)))])
      #expect(try await affected(ground, Former.reclaim(user.id)) == 1)
      _ = try await ground.app.write(
        tenant,
        [
          Former.begin(1, "sign_in", holder: 7, ground.now),
          Former.begin(2, "link", user: user.id, session: browser.id, ground.now),
          Former.begin(3, "link", user: user.id, session: browser.id, ground.now),
        ])
      #expect(try await ground.app.write(tenant, Former.restore)[0][0] == 1)
      try await ground.store.commit([.user(.delete(user.id))])
      #expect(try await ground.app.read(tenant, codes)[0][0] == 0)
      #expect(try await ground.store.ticket(claim(linkTicket(3, browser))) == nil)
    }
  }

  @Test("rows that wait at the upgrade are finished after it by both, on connections that were open")
  func upgraded() async throws {
    try await inPlace {
      let place = try await TestDatabase.make(migrated: false)
      let conninfo = place.conninfo(user: Roles.migrator)
      let old = Array(Migrations.all.prefix { $0.name != "ticket" })
      #expect(old.count < Migrations.all.count)
      _ = try await Migrator(conninfo: conninfo, migrations: old).migrate()
      let clock = TestClock()
      let tenant = TenantID(UUID())
      let user = sampleUser(1, clock.now)
      let browser = session(10, of: user, clock.now)
      try await write(place, tenant, browser, clock.now)
      let app = try await place.connect { StoreFixture.widen(&$0, clock) }
      do {
        try await begin(app, tenant, browser, clock.now)
        _ = try await Migrator(conninfo: conninfo).migrate()
        try await app.verifyPosture()
        try await finish(app, tenant, browser)
      } catch {
        await app.stop()
        throw error
      }
      await app.stop()
      try await place.drop()
    }
  }

  /// A tenant with a person and their session.
  private func write(_ place: TestDatabase, _ tenant: TenantID, _ browser: Session, _ now: Date) async throws {
    let moment = "timestamptz '\(now.ISO8601Format())'"
    try await place.runAsSuperuser(
      script: """
        SET session_replication_role = replica;
        INSERT INTO gatehouse.tenant (id, name, display_name, created_at)
          VALUES ('\(tenant.uuid)', 'first', 'First', \(moment));
        INSERT INTO gatehouse.account (tenant_id, id, email, created_at, updated_at, entered_by)
          VALUES ('\(tenant.uuid)', '\(browser.user.uuid)', 'person1@example.com', \(moment), \(moment), 'sign_up');
        INSERT INTO gatehouse.session (tenant_id, id, account_id, created_at, last_seen_at, authenticated_at, methods, expires_at,
            idle_expires_at)
          VALUES ('\(tenant.uuid)', '\(browser.id.uuid)', '\(browser.user.uuid)', \(moment), \(moment), \(moment), '{pwd}',
            \(moment) + interval '365 days', \(moment) + interval '100 days');
        """)
  }

  /// Two ways of each kind, and one that is finished, so that its statements are prepared.
  private func begin(_ app: Database, _ tenant: TenantID, _ browser: Session, _ now: Date) async throws {
    for seed: UInt8 in [1, 2, 3] {
      _ = try await app.write(
        tenant.uuid,
        [
          Former.begin(seed, "sign_in", holder: 7, now),
          Former.begin(seed + 10, "link", user: browser.user, session: browser.id, now),
          Former.begin(seed + 20, "hand_back", holder: 7, now),
        ] + Former.beginCode(seed + 30, browser))
    }
    try await finishAsBefore(3, app, tenant, browser)
  }

  private func finishAsBefore(_ seed: UInt8, _ app: Database, _ tenant: TenantID, _ browser: Session) async throws {
    for statement in [
      Former.take(seed, "sign_in", holder: 7), Former.take(seed + 10, "link", session: browser.id),
      Former.take(seed + 20, "hand_back", holder: 7), Former.takeCode(seed + 30),
    ] {
      #expect(try await app.write(tenant.uuid, statement).affected == 1)
      #expect(try await app.write(tenant.uuid, statement).affected == 0)
    }
  }

  private func finish(_ app: Database, _ tenant: TenantID, _ browser: Session) async throws {
    try await finishAsBefore(1, app, tenant, browser)
    let store = PostgresStore(app).open(tenant)
    for begun in [signInTicket(2), linkTicket(12, browser), browserCode(22)] {
      #expect(try await store.take(claim(begun)) == begun)
    }
    #expect(try await store.session(ofTicket: hash(32), for: .authorizationCode)?.session.id == browser.id)
    try await store.commit([.ticket(.take(claim(code(32, browser))))])
    #expect(try await app.read(tenant.uuid, Former.count)[0][0] == 0)
  }
}
