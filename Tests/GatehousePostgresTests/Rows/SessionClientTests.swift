import Foundation
import GatehouseIdentity
@testable import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("The client of a session")
struct SessionClientTests {
  /// A session as a server of the release before opens it.
  private static func open(_ number: Int, of user: UserID, page: UInt8?, _ now: Date) -> SQL {
    """
    INSERT INTO session (id, account_id, created_at, last_seen_at, authenticated_at, methods, expires_at,
      idle_expires_at, page_hash)
    VALUES (\(id(number)), \(user.uuid), \(now), \(now), \(now), \(["pwd"]), \(now.addingTimeInterval(86_400)),
      \(now.addingTimeInterval(86_400)), \(page.map { hash($0) }))
    """
  }

  private func client(_ store: any TenantStore, _ number: Int) async throws -> SessionClient? {
    try await store.session(id: SessionID(id(number)))?.session.client
  }

  @Test("a session keeps the client that it was opened for", arguments: [SessionClient.app, .pages, .other("later")])
  func kept(_ client: SessionClient) async throws {
    try await withStore { ground async throws in
      let user = sampleUser(1, ground.now)
      var opened = session(10, of: user, ground.now)
      opened.client = client
      let credential: StoredCredential =
        client == .pages ? .page(hash: hash(1)) : .refreshToken(token(1, of: opened, ground.now))
      try await ground.store.commit([
        .user(.insert(user, unique: [])), .session(.insert(opened, by: credential, keeping: 5)),
      ])
      #expect(try await self.client(ground.store, 10) == client)
      #expect(try await ground.store.sessions(of: user.id).map(\.client) == [client])
    }
  }

  @Test("a refresh token is exchanged by the client of its session, and by no other one")
  func exchanged() async throws {
    try await withStore { ground async throws in
      let user = sampleUser(1, ground.now)
      var opened = session(10, of: user, ground.now)
      opened.client = .other("later")
      try await ground.store.commit([
        .user(.insert(user, unique: [])),
        .session(.insert(opened, by: .refreshToken(token(1, of: opened, ground.now)), keeping: 5)),
      ])
      func rotation(_ client: SessionClient) -> Rotation {
        Rotation(spent: hash(1), of: client, successor: hash(2), sealedSuccessor: [1], idleTTL: 3600)
      }
      for client in [SessionClient.app, .pages, .other("another")] {
        let alone = await refusal { try await ground.store.rotate(rotation(client)) }
        let amongOthers = await refusal { try await ground.store.commit([.session(.rotate(rotation(client)))]) }
        #expect(alone == .refused(.sessionIsLive) && amongOthers == .refused(.sessionIsLive), "\(client)")
      }
      #expect(try await ground.store.refreshToken(hash: hash(1))?.token.spentAt == nil)
      #expect(try await ground.store.rotate(rotation(.other("later")))?.session.client == .other("later"))
    }
  }

  @Test("sessions that servers of the release before opened, before and after the upgrade, have their client")
  func upgraded() async throws {
    try await inPlace {
      let place = try await TestDatabase.make(migrated: false)
      let conninfo = place.conninfo(user: Roles.migrator)
      let old = Array(Migrations.all.prefix { $0.name != "session_client" })
      #expect(old.count < Migrations.all.count)
      _ = try await Migrator(conninfo: conninfo, migrations: old).migrate()
      let clock = TestClock()
      let app = try await place.connect { StoreFixture.widen(&$0, clock) }
      do {
        let tenants = [TenantID(UUID()), TenantID(UUID())]
        let user = sampleUser(1, clock.now)
        try await write(place, tenants, user.id, clock.now)
        for tenant in tenants { try await open([10, 11], app, tenant, user.id, clock.now) }
        _ = try await Migrator(conninfo: conninfo).migrate()
        for tenant in tenants {
          try await open([20, 21], app, tenant, user.id, clock.now)
          let store = PostgresStore(app).open(tenant)
          for (number, expected) in [(10, .app), (11, .pages), (20, .app), (21, .pages)] as [(Int, SessionClient)] {
            #expect(try await client(store, number) == expected, "\(number)")
          }
        }
      } catch {
        await app.stop()
        throw error
      }
      await app.stop()
      try await place.drop()
    }
  }

  /// The session of an app, and that of a browser.
  private func open(_ numbers: [Int], _ app: Database, _ tenant: TenantID, _ user: UserID, _ now: Date) async throws {
    _ = try await app.write(
      tenant.uuid,
      numbers.enumerated().map { place, number in
        Self.open(number, of: user, page: place == 0 ? nil : UInt8(number), now)
      })
  }

  private func write(_ place: TestDatabase, _ tenants: [TenantID], _ user: UserID, _ now: Date) async throws {
    let moment = "timestamptz '\(now.ISO8601Format())'"
    for (number, tenant) in tenants.enumerated() {
      try await place.runAsSuperuser(
        script: """
          SET session_replication_role = replica;
          INSERT INTO gatehouse.tenant (id, name, display_name, created_at)
            VALUES ('\(tenant.uuid)', 'old\(number)', 'Old', \(moment));
          INSERT INTO gatehouse.account (tenant_id, id, email, created_at, updated_at, entered_by)
            VALUES ('\(tenant.uuid)', '\(user.uuid)', 'person1@example.com', \(moment), \(moment), 'sign_up');
          """)
    }
  }

  @Test("a token that went with its account is told to its own client alone")
  func erased() async throws {
    try await withStore { ground async throws in
      let user = sampleUser(1, ground.now)
      let phone = session(2, of: user, ground.now)
      try await ground.store.commit([
        .user(.insert(user, unique: [])),
        .session(.insert(phone, by: .refreshToken(token(1, of: phone, ground.now)), keeping: 5)),
      ])
      #expect(try await ground.store.isErasedToken(hash: hash(1), of: phone.client) == false)
      try await ground.store.commit([.user(.delete(user.id))])
      #expect(try await ground.store.isErasedToken(hash: hash(1), of: phone.client))
      #expect(try await ground.store.isErasedToken(hash: hash(1), of: .other("later")) == false)
      #expect(try await ground.store.isErasedToken(hash: hash(2), of: phone.client) == false)
    }
  }
}
