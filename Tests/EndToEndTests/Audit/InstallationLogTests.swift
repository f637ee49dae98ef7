import Foundation
import GatehouseAdminWire
import GatehouseIdentity
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("The audit log of the installation")
struct InstallationLogTests {
  private func rows(_ server: TestServer, _ event: AuditEvent? = nil) async throws -> [AuditRecord] {
    try await SearchAudit.run(
      .init(tenant: InstallationLog.name, event: event?.rawValue, limit: 1000), server.asOperator
    ).items
  }

  private func verify(_ server: TestServer) async throws -> AuditVerification {
    try await VerifyAudit.run(.init(tenant: InstallationLog.name), server.asOperator)
  }

  private func delete(_ name: String, _ server: TestServer) async throws {
    _ = try await SetTenant.run(.init(tenant: name, enabled: false), server.asOperator)
    _ = try await DeleteTenant.run(.init(tenant: name), server.asOperator)
  }

  @Test("the creation and the deletion of a tenant outlive it, sealed and exported")
  func tenants() async throws {
    try await Trail.run { trail in
      let server = trail.server
      _ = try await CreateTenant.run(.init(name: "doomed"), server.asOperator)
      try await delete("doomed", server)
      for event in [AuditEvent.tenantCreated, .tenantDeleted] {
        let row = try #require(try await rows(server, event).first { $0.details["tenant"] == "doomed" })
        #expect(row.actor == "operator:test" && row.details["tenant_id"]?.utf8.count == 36)
      }
      #expect(try await rows(server, .databaseMigrated).contains { $0.details["name"] == "installation_log" })
      try await server.sealAudit()
      let verdict = try await verify(server)
      #expect(verdict.finding == nil && verdict.tenant == "-" && verdict.waiting == 0 && verdict.sealed >= 3)
      var lines: [[UInt8]] = []
      try await AuditCopy.write { cursor in
        try await ExportAudit.run(.init(tenant: InstallationLog.name, cursor: cursor), server.asOperator)
      } to: {
        lines.append(Array($0.utf8))
      }
      #expect(Trail.check(lines)?.finding == nil)
      #expect(lines.contains { String(decoding: $0, as: UTF8.self).contains("tenant_deleted") })
      // The same copy with another tenant's name in it does not hold.
      let forged = lines.map { Array(String(decoding: $0, as: UTF8.self).replacing("doomed", with: "saved1").utf8) }
      #expect(Trail.check(forged)?.finding?.kind == .edited)
    }
  }

  @Test("admin tokens are told with what they may, and so are those that end with another")
  func tokens() async throws {
    try await Trail.run { trail in
      let token = try await trail.server.adminToken("maker", scopes: AdminScope.allCases)
      let client = TestClient(trail.server.adminURL)
      let made = try await client.send(
        "POST", "/admin/v1/tokens", #"{"name":"made","scopes":["audit:read"],"tenants":["messai"]}"#, token: token,
        headers: ["Gatehouse-As": "Anna"])
      #expect(made.status == 201, "\(made.text)")
      #expect(made.json["item"]?["created_by"] == .string("maker (as Anna, stated)"), "\(made.text)")
      let listed = try await client.get("/admin/v1/tokens", token: token).json["items"]?.array ?? []
      #expect(listed.contains { $0["created_by"] == .string("maker (as Anna, stated)") })
      _ = try await RevokeAdminToken.run(.init(name: "maker"), trail.server.asOperator)
      let created = try await rows(trail.server, .adminTokenCreated)
      #expect(created.first?.details["name"] == "made" && created.first?.actor == "operator:maker (as Anna, stated)")
      let revoked = try await rows(trail.server, .adminTokenRevoked).prefix(2)
      #expect(Set(revoked.compactMap { $0.details["name"] }) == ["maker", "made"])
      #expect(revoked.contains { $0.details["revoked_with"] == "maker" })
    }
  }

  @Test("a token that is not for all tenants reads nothing of it, by no operation")
  func outOfReach() async throws {
    try await Trail.run { trail in
      let token = try await trail.server.adminToken("narrow", tenants: ["messai"])
      let client = TestClient(trail.server.adminURL)
      for path in ["", "?user=al@example.com", "/verify", "/export"] {
        let answer = try await client.get("/admin/v1/tenants/-/audit\(path)", token: token)
        #expect(answer.status == 403 && answer.code == "forbidden", "\(path): \(answer.text)")
      }
      let cut = try await client.send("POST", "/admin/v1/tenants/-/audit/cut", "{}", token: token)
      #expect(cut.status == 403, "\(cut.text)")
      let wide = try await trail.server.adminToken("wide", scopes: [.auditRead])
      #expect(try await client.get("/admin/v1/tenants/-/audit", token: wide).status == 200)
      // It is the name of no tenant.
      #expect(
        try await client.get("/admin/v1/tenants/-", token: try await trail.server.adminToken("all")).status == 404)
    }
  }

  @Test("the server's role adds rows, and changes, deletes and erases none")
  func role() async throws {
    try await Trail.run { trail in
      let app = try await trail.server.storage.connect(user: Roles.app)
      let scope = TenantID.installation.uuid
      let before = try await rows(trail.server)
      let forbidden: [SQL] = [
        "UPDATE audit SET actor = 'operator:nobody'", "DELETE FROM audit", "UPDATE audit SET details = '{}'",
        "UPDATE audit_link SET salt = NULL", "DELETE FROM audit_link", "SELECT gatehouse.erase_tenant()",
        """
        INSERT INTO tenant (id, name, display_name, enabled, created_at, pinned_revision)
        VALUES (\(scope), 'trick', 'Trick', false, now(), NULL)
        """,
      ]
      for statement in forbidden {
        await #expect(throws: (any Error).self, "\(statement)") { _ = try await app.write(scope, [statement]) }
      }
      await app.stop()
      #expect(try await rows(trail.server) == before)
    }
  }

  @Test("a row that was removed or changed is found")
  func tampered() async throws {
    for (script, finding) in [
      ("DELETE FROM gatehouse.audit WHERE event = 'tenant_deleted'", "deleted"),
      ("UPDATE gatehouse.audit SET actor = 'operator:olivia' WHERE event = 'tenant_deleted'", "edited"),
    ] {
      try await Trail.run { trail in
        _ = try await CreateTenant.run(.init(name: "doomed"), trail.server.asOperator)
        try await delete("doomed", trail.server)
        try await trail.server.sealAudit()
        #expect(try await verify(trail.server).finding == nil)
        try await trail.tamper(script)
        #expect(try await verify(trail.server).finding == finding)
      }
    }
  }

  @Test("two servers that add and seal at the same time make one chain that holds")
  func together() async throws {
    try await ThreeApps.run { one in
      try await one.withSibling { other in
        let servers = [one.server, other.server]
        try await withThrowingTaskGroup { group in
          for number in 0..<20 {
            let server = servers[number % 2]
            group.addTask {
              _ = try await server.adminToken("token-\(number)", scopes: [.auditRead])
              try await server.sealAudit()
            }
          }
          try await group.waitForAll()
        }
        try await one.server.sealAudit()
        let names = try await rows(other.server, .adminTokenCreated).compactMap { $0.details["name"] }
        #expect(Set(names).isSuperset(of: (0..<20).map { "token-\($0)" }))
        let verdict = try await verify(other.server)
        #expect(verdict.finding == nil && verdict.waiting == 0, "\(verdict)")
        #expect(one.server.sealTroubles.withLock { $0 }.isEmpty && other.server.sealTroubles.withLock { $0 }.isEmpty)
      }
    }
  }

  @Test("a tenant that is deleted while rows of it are written is told once, and the log holds")
  func whileWritten() async throws {
    try await Trail.run { trail in
      let server = trail.server
      _ = try await CreateTenant.run(.init(name: "doomed"), server.asOperator)
      let doomed = try await Tenants.find("doomed", server.services)
      let store = server.services.store.open(doomed.id)
      _ = try await SetTenant.run(.init(tenant: "doomed", enabled: false), server.asOperator)
      try await withThrowingTaskGroup { group in
        for number in 0..<40 {
          group.addTask {
            let entry = AuditEntry(
              id: server.services.clock.makeID(), at: server.clock.now, event: .signInFailed, actor: "anonymous",
              details: ["n": "\(number)"])
            try await store.commit([.audit(entry)], as: .operator)
          }
        }
        group.addTask { _ = try await DeleteTenant.run(.init(tenant: "doomed"), server.asOperator) }
        try await group.waitForAll()
      }
      await #expect(throws: OperatorError.self) {
        try await DeleteTenant.run(.init(tenant: "doomed"), server.asOperator)
      }
      let told = try await rows(server, .tenantDeleted).filter { $0.details["tenant_id"] == doomed.id.text }
      #expect(told.count == 1)
      try await server.sealAudit()
      let verdict = try await verify(server)
      #expect(verdict.finding == nil && verdict.waiting == 0, "\(verdict)")
    }
  }

  @Test("its data key is wrapped anew with those of the tenants, and that is a row of it")
  func rewrapped() async throws {
    try await ThreeApps.run { one in
      try await one.server.sealAudit()
      let old = one.server.services.keyEncryptionKey
      let new = try SealingKey.random(version: 2)
      let both = try await one.server.sibling(keys: (new, old))
      let count = try await RewrapKeys.run(.init(), both.asOperator)
      #expect(count.rewrapped == App.allCases.count + 1 && count.unknown.isEmpty)
      let row = try #require(try await rows(both, .keysRewrapped).first)
      #expect(row.details["rewrapped"] == String(App.allCases.count + 1))
      await both.stop()
      let after = try await one.server.sibling(keys: (new, nil))
      try await after.sealAudit()
      let verdict = try await verify(after)
      #expect(verdict.finding == nil && verdict.waiting == 0)
      // The old key alone says that it does not fit, and continues nothing.
      await #expect(throws: OperatorError.self) { try await verify(one.server) }
      await after.stop()
    }
  }
}
