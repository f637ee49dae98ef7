import Foundation
import GatehouseIdentity
import GatehousePostgres
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite struct SeenSessionRowsTests {
  private struct Ground {
    let store: StoreFixture
    let user: StoredUser
    let phone: Session

    /// Writes that the phone was seen so many seconds from now; answers what is to be tried again.
    func see(_ seconds: Double, of tenant: TenantID? = nil, idle: Int64 = 3600, max: Int64 = 86_400) async throws
      -> [SeenSession]
    {
      let seen = SeenSession(tenant ?? store.tenant, phone.id, at: store.now.addingTimeInterval(seconds))
      return try await PostgresSeenSessions(store.jobs).write([SessionSighting(seen, idleTTL: idle, maxTTL: max)])
    }

    /// Seconds from now to the last request, as it is stored.
    func lastSeen() async throws -> Double? {
      try await store.store.session(id: phone.id).map { $0.session.lastSeenAt.timeIntervalSince(store.now) }
    }
  }

  /// A person with a phone that was opened a minute ago.
  private func run(_ body: (Ground) async throws -> Void) async throws {
    try await withStore { ground async throws in
      let user = sampleUser(1, ground.now)
      let phone = session(2, of: user, ground.now)
      try await ground.store.commit([
        .user(.insert(user, unique: [])),
        .session(.insert(phone, by: .refreshToken(token(1, of: phone, ground.now)), keeping: 5)),
      ])
      ground.clock.advance(seconds: 60)
      try await body(Ground(store: ground, user: user, phone: phone))
    }
  }

  @Test("a request moves the last one forward")
  func forward() async throws {
    try await run { ground async throws in
      #expect(try await ground.see(-10).isEmpty)
      #expect(try await ground.lastSeen() == -10)
    }
  }

  @Test("an earlier request, of a server that writes late, moves nothing back")
  func back() async throws {
    try await run { ground async throws in
      _ = try await ground.see(-10)
      #expect(try await ground.see(-20).isEmpty)
      #expect(try await ground.lastSeen() == -10)
    }
  }

  @Test("a server whose clock is ahead writes the database's moment")
  func ahead() async throws {
    try await run { ground async throws in
      _ = try await ground.see(300)
      #expect(try await ground.lastSeen() == 0)
    }
  }

  @Test("a session that was ended stays as it was")
  func ended() async throws {
    try await run { ground async throws in
      try await ground.store.store.commit([.session(.end(ground.phone.id, .revoked))])
      #expect(try await ground.see(0).isEmpty)
      #expect(try await ground.lastSeen() == -60)
    }
  }

  @Test(
    "a session whose time had run out at the request stays as it was",
    arguments: [(idle: Int64(30), max: Int64(86_400)), (3600, 30)])
  func over(lifetimes: (idle: Int64, max: Int64)) async throws {
    try await run { ground async throws in
      #expect(try await ground.see(0, idle: lifetimes.idle, max: lifetimes.max).isEmpty)
      #expect(try await ground.lastSeen() == -60)
    }
  }

  @Test("a session's id under another tenant writes nothing")
  func otherTenant() async throws {
    try await run { ground async throws in
      let other = try await ground.store.makeTenant("second")
      #expect(try await ground.see(0, of: other.id).isEmpty)
      #expect(try await ground.lastSeen() == -60)
    }
  }

  @Test("a session that another transaction is writing is not waited for, and is answered to be tried again")
  func busy() async throws {
    try await run { ground async throws in
      let busy = try await ground.store.app.transaction(ground.store.tenant.uuid) { transaction in
        _ = try await transaction.query(["SELECT 1 FROM session WHERE id = \(ground.phone.id.uuid) FOR UPDATE"])
        return try await ground.see(-5)
      }
      #expect(busy.map(\.session) == [ground.phone.id])
      #expect(try await ground.lastSeen() == -60)
      #expect(try await ground.see(-5).isEmpty)
      #expect(try await ground.lastSeen() == -5)
    }
  }

  @Test("the jobs role may move the last request of a session, and nothing else of it")
  func rights() async throws {
    try await run { ground async throws in
      for column in ["account_id", "ended_at", "expires_at", "idle_expires_at", "sealed_push_token"] {
        let rows = try await ground.store.everything(
          "SELECT has_column_privilege('gatehouse_jobs', 'gatehouse.session', \(column), 'UPDATE')")
        #expect(try rows.first?[0] as Bool? == false, "\(column)")
      }
    }
  }

  @Test("a person's sightings are of sessions that were not ended, living ones apart")
  func sightings() async throws {
    try await run { ground async throws in
      let (store, id) = (ground.store.store, ground.user.id)
      let begin = ground.store.now.addingTimeInterval(-60)
      #expect(
        try await store.sightings(of: [id], sessionsLasting: 86_400) == [id: Sightings(living: begin, latest: begin)])
      #expect(try await store.sightings(of: [id], sessionsLasting: 30) == [id: Sightings(living: nil, latest: begin)])
      try await store.commit([.session(.end(ground.phone.id, .revoked))])
      #expect(try await store.sightings(of: [id], sessionsLasting: 86_400).isEmpty)
      #expect(try await store.user(id: id)?.lastSeen == begin, "kept with the account")
    }
  }
}
