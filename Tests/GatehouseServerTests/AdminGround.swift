import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting

/// A server with two tenants, and a client of its admin API.
struct AdminGround {
  let server: TestServer
  let client: TestClient
  let policy: String

  /// `undoesDeletions`: whether the policy of vibes lets deletions be undone.
  static func run(undoesDeletions: Bool = false, _ body: (AdminGround) async throws -> Void) async throws {
    let undo = undoesDeletions ? "\naccounts: {undo_deletion: 14d}\n" : ""
    let policies = try ["messai": TestLists.policy("messai"), "vibes": TestLists.policy("vibes") + undo]
    let server = try await TestServer.start(policies: policies)
    do {
      try await body(
        AdminGround(server: server, client: TestClient(server.adminURL), policy: policies["vibes"] ?? ""))
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }

  func sample(_ route: AdminRoute, kid: String = "some", webhook: String = "0000") -> AdminSample? {
    AdminSample.of(route, policy: policy, kid: kid, webhook: webhook)
  }

  /// The tenant's audit rows of an event, newest first.
  func audit(_ event: AuditEvent, of tenant: String = "vibes") async throws -> [AuditEntry] {
    let record = try await Tenants.find(tenant, server.services)
    return try await server.services.store.open(record.id).audit(AuditQuery(event: event.rawValue), limit: 10)
  }
}

extension JSONValue {
  var text: String { String(decoding: bytes, as: UTF8.self) }
}
