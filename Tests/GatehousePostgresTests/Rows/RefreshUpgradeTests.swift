import Foundation
import GatehouseIdentity
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Refresh tokens of a database from before retries under a key")
struct RefreshUpgradeTests {
  /// A person with a session of a year, an unspent token, one that was exchanged for it a moment ago, and one before
  /// that.
  private func write(_ place: TestDatabase, _ tenant: TenantID, _ now: Date) async throws {
    let user = sampleUser(1, now)
    let phone = session(10, of: user, now, lives: 100 * 86_400)
    func bytes(_ seed: UInt8) -> String { "'\\x\(Hex.encode(hash(seed)))'" }
    let moment = "timestamptz '\(now.ISO8601Format())'"
    try await place.runAsSuperuser(
      script: """
        SET session_replication_role = replica;
        INSERT INTO gatehouse.tenant (id, name, display_name, created_at) VALUES ('\(tenant.uuid)', 'old', 'Old', \(moment));
        INSERT INTO gatehouse.account (tenant_id, id, email, created_at, updated_at, entered_by)
          VALUES ('\(tenant.uuid)', '\(user.id.uuid)', '\(user.address)', \(moment), \(moment), 'sign_up');
        INSERT INTO gatehouse.session (tenant_id, id, account_id, created_at, last_seen_at, authenticated_at, methods, expires_at,
            idle_expires_at)
          VALUES ('\(tenant.uuid)', '\(phone.id.uuid)', '\(user.id.uuid)', \(moment), \(moment), \(moment), '{pwd}',
            \(moment) + interval '365 days', \(moment) + interval '100 days');
        INSERT INTO gatehouse.refresh_token (tenant_id, hash, session_id, created_at, spent_at, sealed_successor, successor_hash)
          VALUES ('\(tenant.uuid)', \(bytes(1)), '\(phone.id.uuid)', \(moment), \(moment), NULL, \(bytes(2))),
            ('\(tenant.uuid)', \(bytes(2)), '\(phone.id.uuid)', \(moment), \(moment), '\\x07', \(bytes(3))),
            ('\(tenant.uuid)', \(bytes(3)), '\(phone.id.uuid)', \(moment), NULL, NULL, NULL);
        """)
  }

  private func rotation(_ number: UInt8, retry: [UInt8]? = nil) -> Rotation {
    Rotation(
      spent: hash(number), successor: hash(number + 1), sealedSuccessor: [number], retryDigest: retry,
      idleTTL: 100 * 86_400, maxTTL: 365 * 86_400)
  }

  @Test(
    "the unspent one is exchanged, with and without a key; the spent ones are known, keep their grace and go in their time"
  )
  func upgraded() async throws {
    try await inPlace {
      let place = try await TestDatabase.make(migrated: false)
      let old = Array(Migrations.all.prefix { $0.name != "refresh_retry" })
      #expect(old.count < Migrations.all.count)
      let conninfo = place.conninfo(user: Roles.migrator)
      _ = try await Migrator(conninfo: conninfo, migrations: old).migrate()
      let clock = TestClock()
      let tenant = TenantID(UUID())
      try await write(place, tenant, clock.now)
      _ = try await Migrator(conninfo: conninfo).migrate()
      let app = try await place.connect { StoreFixture.widen(&$0, clock) }
      let jobs = try await place.connect(user: Roles.jobs) { StoreFixture.widen(&$0, clock) }
      do {
        try await judge(PostgresStore(app).open(tenant), PostgresExpirySweep(jobs), clock)
      } catch {
        await app.stop()
        await jobs.stop()
        throw error
      }
      await app.stop()
      await jobs.stop()
      try await place.drop()
    }
  }

  private func judge(_ store: any TenantStore, _ sweep: PostgresExpirySweep, _ clock: TestClock) async throws {
    let spent = try #require(try await store.refreshToken(hash: hash(2))).token
    #expect(spent.sealedSuccessor == [7] && spent.retryDigest == nil && spent.successorHash == hash(3))
    #expect(try await store.rotate(rotation(2)) == nil)
    let exchanged = try await store.rotate(rotation(3, retry: hash(91)))
    #expect(exchanged != nil)
    clock.advance(seconds: 61)
    #expect(try await sweep.prune(batch: 100)["successors"] == 1)
    #expect(try await store.refreshToken(hash: hash(2))?.token.sealedSuccessor == nil)
    let keyed = try #require(try await store.refreshToken(hash: hash(3))).token
    #expect(keyed.sealedSuccessor == [3] && keyed.retryDigest == hash(91))
    clock.advance(seconds: 31 * 86_400)
    #expect(try await sweep.prune(batch: 100)["refresh_tokens"] == 2)
    for (number, isThere) in [(1, false), (2, false), (3, true), (4, true)] {
      let found = try await store.refreshToken(hash: hash(UInt8(number)))
      #expect((found != nil) == isThere, "\(number)")
    }
    let next = try await store.rotate(rotation(4))
    #expect(next != nil)
    #expect(try await store.refreshToken(hash: hash(3))?.token.sealedSuccessor == nil)
  }
}
