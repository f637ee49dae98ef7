import GatehouseAdminWire
import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("What no cut of an audit trail takes")
struct AuditCutRefusalTests {
  private func refused(_ trail: Trail, _ kind: OperatorError.Kind, _ body: () async throws -> Void) async throws {
    let before = try await trail.links().map(\.link.seq)
    let error = await #expect(throws: OperatorError.self) { try await body() }
    #expect(error?.kind == kind, "\(error?.description ?? "")")
    #expect(try await trail.links().map(\.link.seq).first == before.first)
    #expect(try await trail.store.auditOrigin().cuts.isEmpty)
  }

  @Test("T121 nothing younger than audit.retention, whatever the token allows")
  func young() async throws {
    try await Trail.run { trail in
      _ = try await trail.live()
      trail.server.clock.advance(seconds: 29 * 86_400)
      let lines = try await trail.copy(before: trail.server.clock.now.addingTimeInterval(-86_400))
      try await refused(trail, .refused) { try await trail.cut(lines) }
    }
  }

  @Test("T121 nothing at all where audit.retention is not set")
  func unset() async throws {
    let server = try await TestServer.start(
      policies: ["messai": try TestLists.policy("messai")], auditRetention: nil)
    let id = try #require(server.services.registry.snapshot("messai")).id
    let trail = Trail(
      server: server, client: TestClient(server.url + "/t/messai"), store: server.services.store.open(id))
    _ = try await trail.live()
    server.clock.advance(seconds: 4000 * 86_400)
    let lines = try await trail.copy(before: server.clock.now.addingTimeInterval(-86_400))
    try await refused(trail, .refused) { try await trail.cut(lines) }
    await server.stop()
  }

  @Test("T121 nothing that the copy lacks at its beginning")
  func gap() async throws {
    try await Trail.old { trail, moment in
      let lines = try await trail.copy(before: moment, after: 2)
      try await refused(trail, .refused) { try await trail.cut(lines) }
    }
  }

  @Test("T121 nothing of a chain that is not the one that was copied")
  func otherChain() async throws {
    try await Trail.old { trail, moment in
      let lines = try await trail.copy(before: moment)
      let last = try #require(Trail.check(lines)).sealed
      try await trail.tamper("UPDATE gatehouse.audit_link SET hash = commitment WHERE seq = \(last)")
      try await refused(trail, .refused) { try await trail.cut(lines) }
    }
  }

  @Test("T121 nothing by an end that this tenant's key did not sign, or without a digest")
  func malformed() async throws {
    try await Trail.old { trail, moment in
      let lines = try await trail.copy(before: moment)
      let token = try Trail.extract(lines)
      let digest = Hex.encode(Trail.digest(lines))
      let head = try #require(try await trail.store.auditChain().token)
      for (extract, export) in [
        (token + "A", digest), (head, digest), ("x.y.z", digest), (token, "00"), (token, nil), (nil, digest),
      ] as [(String?, String?)] {
        await #expect(throws: Refusal.self) {
          _ = try await trail.cut(.init(tenant: "messai", extract: extract, export: export))
        }
      }
      #expect(try await trail.store.auditOrigin().cuts.isEmpty)
    }
  }

  @Test("T121 nothing twice under another digest: the file of a cut stays the one that its mark names")
  func otherFile() async throws {
    try await Trail.old { trail, moment in
      let lines = try await trail.copy(before: moment)
      let other = try await trail.copy(before: moment)
      #expect(lines != other)
      try await trail.cut(lines)
      let error = await #expect(throws: OperatorError.self) { try await trail.cut(other) }
      #expect(error?.kind == .stale)
      #expect(try await trail.joined([other])?.kind == .edited)
    }
  }

  @Test("T121 a token without audit:write cuts nothing, and one without user:read copies nothing")
  func scopes() async throws {
    try await Trail.old { trail, moment in
      let client = TestClient(trail.server.adminURL)
      let reader = try await trail.server.adminToken("reader", scopes: [.auditRead, .userWrite])
      let refused = try await client.post("/admin/v1/tenants/messai/audit/cut", "{}", token: reader)
      #expect(refused.status == 403 && refused.json["scope"] == .string("audit:write"))
      let writer = try await trail.server.adminToken("writer", scopes: [.auditWrite])
      let path = "/admin/v1/tenants/messai/audit/export?before=\(Timestamp(moment))"
      #expect(try await client.get(path, token: writer).status == 403)
      #expect(try await client.post("/admin/v1/tenants/messai/audit/cut", "{}", token: writer).status == 200)
    }
  }
}
