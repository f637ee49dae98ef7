import Foundation
import GatehouseAdminWire
import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("Values in the audit log")
struct ToldChangesTests {
  private static let fields = """
    profile:
      unknown_fields: reject
      fields:
        role: {type: enum, values: [nurse, ward_nurse], write: admin, default: nurse}
        active: {type: boolean, write: admin}
        level: {type: enum, values: [low, high], write: admin, visible_to: admin}
        note: {type: string, max_length: 200, write: admin}
        mood: {type: enum, values: [good, bad]}
    """

  private func run(_ body: (TestServer, any TenantStore) async throws -> Void) async throws {
    let policy = """
      schema: gatehouse/policy.v1
      tenant: ward
      app: {name: Ward, locales: [en]}
      identifiers: {sign_in_with: [email], email: {normalize: lowercase}}
      password: {max_length: 128, rules: [{id: min8, min_length: 8}]}
      \(Self.fields)
      providers: {password: {use: sign_in}}

      """
    let server = try await TestServer.start(policies: ["ward": policy])
    do {
      let id = try #require(server.services.registry.snapshot("ward")).id
      try await body(server, server.services.store.open(id))
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }

  private func updates(_ store: any TenantStore) async throws -> [[String: String]] {
    try await store.audit(AuditQuery(event: AuditEvent.userUpdated.rawValue), limit: 100).map(\.details)
  }

  @Test("a role says from what to what; what a person may write, texts and hidden fields say nothing")
  func told() async throws {
    try await run { server, store in
      try await Operator.create("al@example.com", in: "ward", server)
      try await Operator.set(
        ["role": "ward_nurse", "active": true, "level": "high", "note": "canary-note", "mood": "bad"],
        of: "al@example.com", in: "ward", server)
      let first = try #require(try await updates(store).first)
      #expect(first["changed.role"] == "nurse -> ward_nurse" && first["changed.active"] == "none -> true")
      #expect(first["fields"] == "active,level,mood,note,role")
      #expect(first.keys.filter { $0.hasPrefix("changed.") }.count == 2)
      try await Operator.set(["role": "ward_nurse", "active": .null], of: "al@example.com", in: "ward", server)
      let second = try #require(try await updates(store).first)
      #expect(second["changed.role"] == nil && second["changed.active"] == "true -> none")
      let dump = try await store.audit(AuditQuery(), limit: 100)
      #expect(!dump.contains { "\($0.details)".contains("canary") || "\($0.details)".contains("high") })
    }
  }

  @Test("an erasure takes the values away, and the chain holds")
  func erased() async throws {
    try await run { server, store in
      try await Operator.create("al@example.com", in: "ward", server)
      try await Operator.set(["role": "ward_nurse"], of: "al@example.com", in: "ward", server)
      try await server.sealAudit()
      #expect(try await updates(store).first?["changed.role"] == "nurse -> ward_nurse")
      _ = try await EraseUser.run(.init(tenant: "ward", user: "al@example.com"), server.asOperator)
      #expect(try await updates(store) == [[:]])
      try await server.sealAudit()
      let tenant = try #require(server.services.registry.snapshot("ward"))
      #expect(try await VerifyAudit.verdict(on: AuditScope(tenant), server.services).finding == nil)
      #expect(!(try await server.storage.dump().contains("nurse -> ward_nurse")))
    }
  }

  @Test("a tenant's name says from what to what")
  func tenant() async throws {
    try await run { server, store in
      _ = try await SetTenant.run(.init(tenant: "ward", displayName: "Ward 7"), server.asOperator)
      let row = try #require(try await store.audit(AuditQuery(event: "tenant_changed"), limit: 1).first)
      #expect(row.details["changed.display_name"] == "Ward -> Ward 7")
    }
  }
}
