import Foundation
import GatehouseIdentity
import GatehousePostgres
import GatehouseServerTesting
import GatehouseTesting
import GatehouseAdminWire
import GatehouseWire
import Testing

@Suite("Admin tokens by the owner's functions")
struct AdminTokenRowsTests {
  /// The server's way, and the console's for calls without an asking token.
  private static func tokens(_ ground: StoreFixture) -> PostgresAdminTokens {
    let (place, clock) = (ground.place, ground.clock)
    return PostgresAdminTokens(ground.app) {
      try await place.connect(user: Roles.migrator) { $0.clock = { clock.now } }
    }
  }

  private static func token(
    _ number: UInt8, _ ground: StoreFixture, scopes: [AdminScope], tenants: [TenantID]? = nil, life: Double = 3600
  ) -> AdminToken {
    AdminToken(
      id: id(Int(number)), name: "t\(number)", scopes: scopes, tenants: tenants, createdAt: ground.now,
      createdBy: "test",
      expiresAt: ground.now.addingTimeInterval(life))
  }

  /// A token of the console's.
  private static func insert(_ token: AdminToken, _ number: UInt8, _ ground: StoreFixture) async throws {
    try await tokens(ground).insert(token, hash: hash(number), asking: nil, audit: [:], keeping: nil)
  }

  @Test("T158 the server's own connection makes and revokes a token only for one that includes it")
  func reach() async throws {
    try await withStore { ground async throws in
      let server = PostgresAdminTokens(ground.app)
      let near = Self.token(1, ground, scopes: [.tokenWrite, .policyWrite], tenants: [ground.tenant])
      try await Self.insert(near, 1, ground)
      try await Self.insert(Self.token(2, ground, scopes: [.userWrite]), 2, ground)
      try await Self.insert(Self.token(3, ground, scopes: AdminScope.allCases), 3, ground)
      func make(_ number: UInt8, _ scopes: [AdminScope], _ tenants: [TenantID]?, asking: [UInt8]?) async -> StoreError?
      {
        let token = Self.token(number, ground, scopes: scopes, tenants: tenants)
        return await refusal {
          try await server.insert(token, hash: hash(number), asking: asking, audit: [:], keeping: nil)
        }
      }
      #expect(await make(10, [.policyRead], [ground.tenant], asking: hash(1)) == nil)
      #expect(await make(11, [.policyRead], nil, asking: hash(1)) == .refused(.askingTokenReaches), "all tenants")
      #expect(await make(12, [.policyRead], [TenantID(id(9))], asking: hash(1)) == .refused(.askingTokenReaches))
      #expect(await make(13, [.userRead], [ground.tenant], asking: hash(1)) == .refused(.askingTokenReaches))
      #expect(await make(14, [.userRead], nil, asking: hash(2)) == .refused(.askingTokenReaches), "no token:write")
      #expect(await make(15, [.policyRead], nil, asking: nil) == .refused(.askingTokenReaches), "not the console")
      #expect(await make(16, [.policyRead], nil, asking: hash(99)) == .refused(.askingTokenIsLive))
      for (target, asking): (UUID, [UInt8]?) in [(id(3), hash(1)), (id(1), hash(2)), (id(1), nil)] {
        #expect(
          await refusal { try await server.revokeAdminToken(target, asking: asking, audit: [:]) }
            == .refused(.askingTokenReaches))
      }
      #expect(try await server.revokeAdminToken(id(1), asking: hash(3), audit: [:]) == ["t1", "t10"])
      #expect(try await server.adminTokens().filter { $0.revokedAt == nil }.map(\.name) == ["t2", "t3"])
    }
  }

  @Test("T158 without the question of the owner's function the same calls make and revoke anything")
  func reachControl() async throws {
    try await withStore { ground async throws in
      try await ground.place.run(
        script: """
          CREATE OR REPLACE FUNCTION gatehouse.asking_admin_token(asking bytea, wanted_scopes text[], wanted_tenants uuid[])
          RETURNS gatehouse.admin_token LANGUAGE sql AS 'SELECT NULL::gatehouse.admin_token';
          """)
      let server = PostgresAdminTokens(ground.app)
      let all = Self.token(1, ground, scopes: AdminScope.allCases)
      try await server.insert(all, hash: hash(1), asking: nil, audit: [:], keeping: nil)
      #expect(try await server.revokeAdminToken(id(1), asking: nil, audit: [:]) == ["t1"])
    }
  }

  @Test("a token that a token makes lives no longer, whatever is asked for, and is named as its maker's")
  func life() async throws {
    try await withStore { ground async throws in
      try await Self.insert(Self.token(1, ground, scopes: AdminScope.allCases, life: 60), 1, ground)
      try await PostgresAdminTokens(ground.app).insert(
        Self.token(2, ground, scopes: [.policyRead], life: 9999), hash: hash(2), asking: hash(1), audit: [:],
        keeping: nil)
      let made = try await PostgresAdminTokens(ground.app).adminTokens().first { $0.name == "t2" }
      #expect(made?.expiresAt == ground.now.addingTimeInterval(60) && made?.createdBy == "t1")
    }
  }

  /// Revokes a token while the transaction is open in which it makes another one; the names of those that ended.
  private static func revokedWhileMaking(_ ground: StoreFixture) async throws -> [String] {
    try await insert(token(1, ground, scopes: AdminScope.allCases), 1, ground)
    try await insert(token(3, ground, scopes: AdminScope.allCases), 3, ground)
    let tokens = PostgresAdminTokens(ground.app)
    let child = token(2, ground, scopes: [.policyRead])
    let revoking = try await ground.app.transaction(nil) { transaction in
      _ = try await transaction.query(
        """
        SELECT gatehouse.make_admin_token(\(hash(1)), \(child.id), \(child.name), \(hash(2)), \(child.scopeNames),
          NULL, \(child.createdAt), 'test', \(child.expiresAt))
        """)
      let isDone = Flag()
      let revoking = Task {
        defer { isDone.raise() }
        return try await tokens.revokeAdminToken(id(1), asking: hash(3), audit: [:])
      }
      while !isDone.isRaised { if try await ground.hasLockWaiter() { break } }
      return revoking
    }
    return try await revoking.value
  }

  @Test("T156 a token that is being made while its maker is revoked is revoked with it")
  func race() async throws {
    try await withStore { ground async throws in
      #expect(try await Self.revokedWhileMaking(ground) == ["t1", "t2"])
    }
  }

  @Test("T156 without the lock of its maker a token that is being made outlives it")
  func raceControl() async throws {
    try await withStore { ground async throws in
      let sql = try #require(Migrations.all.first { $0.name == "admin_token_maker" }?.sql)
      let start = try #require(sql.range(of: "CREATE FUNCTION gatehouse.asking_admin_token"))
      let end = try #require(sql[start.lowerBound...].range(of: "END $$;"))
      let function = sql[start.lowerBound..<end.upperBound].replacing(
        "CREATE FUNCTION", with: "CREATE OR REPLACE FUNCTION")
      try await ground.place.run(script: String(function.replacing(" FOR SHARE", with: "")))
      #expect(try await Self.revokedWhileMaking(ground) == ["t1"])
    }
  }

  @Test("the jobs role neither finds nor makes nor revokes a token")
  func jobs() async throws {
    try await withStore { ground async throws in
      let calls: [SQL] = [
        "SELECT * FROM gatehouse.admin_token_of('')", "SELECT gatehouse.note_admin_token_use('')",
        "SELECT gatehouse.revoke_admin_token(NULL, gen_random_uuid())",
        "SELECT gatehouse.make_admin_token(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)",
        "SELECT gatehouse.asking_admin_token(NULL, NULL, NULL)",
      ]
      for call in calls {
        #expect(await failure { try await ground.jobs.write(nil, call) }?.sqlState == "42501", "\(call)")
      }
    }
  }
}
