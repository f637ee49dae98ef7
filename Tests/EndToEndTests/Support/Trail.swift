import GatehouseAdminWire
import Foundation
import GatehouseIdentity
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

/// One app with a trail to tamper with.
struct Trail {
  let server: TestServer
  let client: TestClient
  let store: any TenantStore

  var tenant: TenantSnapshot {
    get throws { try #require(server.services.registry.snapshot("messai")) }
  }

  static func run(_ body: (Trail) async throws -> Void) async throws {
    let server = try await TestServer.start(policies: ["messai": try TestLists.policy("messai")])
    do {
      let id = try #require(server.services.registry.snapshot("messai")).id
      try await body(
        Trail(
          server: server, client: TestClient(server.url + "/t/messai"), store: server.services.store.open(id)))
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }

  /// A user signs up, and mistakes the password once; sealed after each step, so that there are several rounds.
  func live(_ email: String = "al@example.com") async throws -> JSONValue {
    let up = try await client.post(
      "/v1/sign-up", #"{"email":"\#(email)","password":"kt49xw","profile":{"displayName":"Al"}}"#)
    #expect(up.status == 201, "\(up.text)")
    try await server.sealAudit()
    server.clock.advance(seconds: 60)
    #expect(try await client.post("/v1/sign-in", #"{"email":"\#(email)","password":"wrong1"}"#).status == 401)
    #expect(try await client.post("/v1/sign-in", #"{"email":"\#(email)","password":"kt49xw"}"#).status == 200)
    try await server.sealAudit()
    server.clock.advance(seconds: 60)
    return up.json
  }

  func verify(known: String? = nil) async throws -> AuditVerdict {
    try await VerifyAudit.verdict(on: AuditScope(try tenant), known: known, server.services)
  }

  /// The lines of an export.
  func export(after: Int64 = 0) async throws -> [[UInt8]] {
    var lines: [[UInt8]] = []
    let tenant = try tenant.name.description
    try await AuditCopy.write { cursor in
      try await ExportAudit.run(.init(tenant: tenant, after: Int(after), cursor: cursor), server.asOperator)
    } to: {
      lines.append(Array($0.utf8))
    }
    return lines
  }

  static func check(_ lines: [[UInt8]], key: String? = nil) -> AuditVerdict? {
    var check = AuditFileCheck()
    for line in lines { check.take(line) }
    return check.finish(fingerprint: key)
  }

  /// Changes the database without the server's knowledge.
  func tamper(_ script: String) async throws { try await server.storage.runAsSuperuser(script: script) }

  /// The same, by a script that names rows by their numbers: this log is the only one left.
  func tamperAlone(_ script: String) async throws {
    try await tamper("DELETE FROM gatehouse.audit_link WHERE tenant_id = gatehouse.installation()")
    try await tamper(script)
  }

  func links() async throws -> [LinkedRow] { try await store.auditLinks(after: 0, limit: 1000) }
}
