import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseTesting
import GatehouseWire

/// A request that each row of the operators' table takes, about the tenant `vibes`. Whoever adds a row says here what it takes.
struct AdminSample {
  let method: String
  let path: String
  var body: String?
  var headers: [String: String] = [:]

  /// Nil where nobody said.
  static func of(_ route: AdminRoute, policy: String, kid: String = "some") -> AdminSample? {
    let key = "\(route.method.rawValue) \(route.path)"
    guard let found = samples(policy)[key] else { return nil }
    let path = route.path.replacing("{tenant}", with: "vibes").replacing("{name}", with: "doomed")
      .replacing("{user}", with: "bo@example.com").replacing("{kid}", with: kid)
    var sample = AdminSample(method: route.method.rawValue, path: "/admin/v1" + path + (found.query ?? ""))
    sample.body = found.body
    if let type = found.type { sample.headers["Content-Type"] = type }
    if route.form == .textAndRevision { sample.headers["If-Match"] = "*" }
    return sample
  }

  private typealias Found = (query: String?, body: String?, type: String?)

  private static func samples(_ policy: String) -> [String: Found] {
    let yaml = "application/yaml"
    let json = "application/json"
    let text = JSONValue.string(policy).text
    return [
      "GET /tenants": ("?limit=10", nil, nil), "GET /tenants/{tenant}": (nil, nil, nil),
      "POST /policy/check": ("?file=x.yaml", policy, yaml), "GET /tenants/{tenant}/policy": (nil, nil, nil),
      "PUT /tenants/{tenant}/policy": ("?reason=test", policy, yaml),
      "POST /policies": (nil, #"{"items":[{"tenant":"vibes","text":\#(text)}]}"#, json),
      "POST /tenants/{tenant}/policy/rollback": (nil, #"{"revision":1}"#, json),
      "GET /tenants/{tenant}/policy/revisions": (nil, nil, nil),
      "POST /tenants/{tenant}/policy/diff": (nil, policy, yaml),
      "POST /tenants/{tenant}/policy/impact": (nil, #"{"text":\#(text)}"#, json),
      "POST /tenants/{tenant}/policy/explain": (nil, #"{"rule":"password.min8"}"#, json),
      "POST /tenants": (nil, #"{"name":"made","display_name":"Made"}"#, json),
      "PATCH /tenants/{tenant}": (nil, #"{"display_name":"Vibes"}"#, json),
      // What goes for good goes last.
      "DELETE /tenants/{tenant}": (nil, nil, nil),
      "GET /tenants/{tenant}/users": ("?query=o&limit=5", nil, nil),
      "POST /tenants/{tenant}/users": (
        nil, #"{"email":"kay@example.com","profile":{"username":"kay"}}"#, json
      ),
      "GET /tenants/{tenant}/users/{user}": (nil, nil, nil),
      "PATCH /tenants/{tenant}/users/{user}": (nil, #"{"disabled":false}"#, json),
      "DELETE /tenants/{tenant}/users/{user}": (nil, nil, nil),
      "POST /tenants/{tenant}/users/{user}/verify-email": (nil, "{}", json),
      "POST /tenants/{tenant}/users/{user}/send-reset": (nil, "{}", json),
      "GET /tenants/{tenant}/users/{user}/sessions": (nil, nil, nil),
      "DELETE /tenants/{tenant}/users/{user}/sessions": (nil, nil, nil),
      "GET /tenants/{tenant}/keys": (nil, nil, nil), "POST /tenants/{tenant}/keys/rotate": (nil, "{}", json),
      "POST /tenants/{tenant}/keys/{kid}/retire": (nil, "{}", json),
      "GET /tenants/{tenant}/secrets": (nil, nil, nil),
      "PUT /tenants/{tenant}/secrets/{name}": (nil, #"{"value":"hunter2"}"#, json),
      "DELETE /tenants/{tenant}/secrets/{name}": (nil, nil, nil),
      "GET /tenants/{tenant}/audit": ("?limit=3&event=policy_applied", nil, nil),
      "GET /tokens": (nil, nil, nil), "POST /tokens": (nil, #"{"name":"made","scopes":["audit:read"]}"#, json),
      "DELETE /tokens/{name}": (nil, nil, nil),
    ]
  }

  func send(_ client: TestClient, token: String?, headers more: [String: String] = [:]) async throws
    -> TestClient.Answer
  {
    try await client.send(method, path, body, token: token, headers: headers.merging(more) { $1 })
  }

  /// Whether the request names a tenant in its path or body.
  var isAboutTenant: Bool { path.contains("/vibes") || body?.contains(#""tenant":"vibes""#) == true }
}

extension JSONValue {
  var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// A server with two tenants, and a client of its admin API.
struct AdminGround {
  let server: TestServer
  let client: TestClient
  let policy: String

  static func run(_ body: (AdminGround) async throws -> Void) async throws {
    let policies = try ["messai": TestLists.policy("messai"), "vibes": TestLists.policy("vibes")]
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

  func sample(_ route: AdminRoute, kid: String = "some") -> AdminSample? {
    AdminSample.of(route, policy: policy, kid: kid)
  }

  /// The tenant's audit rows of an event, newest first.
  func audit(_ event: AuditEvent, of tenant: String = "vibes") async throws -> [AuditEntry] {
    let record = try await Tenants.find(tenant, server.services)
    return try await server.services.store.open(record.id).audit(AuditQuery(event: event.rawValue), limit: 10)
  }
}
