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
  static func of(_ route: AdminRoute, policy: String, kid: String = "some", webhook: String = "0000") -> AdminSample? {
    let key = "\(route.method.rawValue) \(route.path)"
    guard let found = samples(policy)[key] else { return nil }
    // There is somebody to erase before there is somebody to delete.
    let user = route.path.hasSuffix("/erase") ? "cy@example.com" : "bo@example.com"
    let path = route.path.replacing("{tenant}", with: "vibes").replacing("{name}", with: "doomed")
      .replacing("{user}", with: user).replacing("{kid}", with: kid).replacing("{webhook}", with: webhook)
      .replacing("{host}", with: host).replacing("{kind}", with: "verify_email")
    var sample = AdminSample(method: route.method.rawValue, path: "/admin/v1" + path + (found.query ?? ""))
    sample.body = found.body
    if let type = found.type { sample.headers["Content-Type"] = type }
    if route.form == .textAndRevision { sample.headers["If-Match"] = "*" }
    return sample
  }

  /// Noted before the rows are tried, beside bo@example.com and cy@example.com.
  static let host = "auth.vibes.example"

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
      "GET /tenants/{tenant}/users/{user}/export": (nil, nil, nil),
      "POST /tenants/{tenant}/users/{user}/erase": (nil, "{}", json),
      "GET /tenants/{tenant}/hosts": (nil, nil, nil),
      "POST /tenants/{tenant}/hosts": (nil, #"{"host":"new.vibes.example"}"#, json),
      "POST /tenants/{tenant}/hosts/{host}/verify": (nil, "{}", json),
      "DELETE /tenants/{tenant}/hosts/{host}": (nil, nil, nil),
      "GET /tenants/{tenant}/webhooks": (nil, nil, nil),
      "POST /tenants/{tenant}/webhooks": (nil, #"{"url":"https://example.com/in","events":["user.created"]}"#, json),
      "GET /tenants/{tenant}/webhooks/{webhook}": (nil, nil, nil),
      "DELETE /tenants/{tenant}/webhooks/{webhook}": (nil, nil, nil),
      "POST /tenants/{tenant}/webhooks/{webhook}/rotate-secret": (nil, "{}", json),
      "POST /tenants/{tenant}/webhooks/{webhook}/enable": (nil, "{}", json),
      "POST /tenants/{tenant}/webhooks/{webhook}/test": (nil, "{}", json),
      "GET /tenants/{tenant}/mails/{kind}": ("?language=es", nil, nil),
      "POST /tenants/{tenant}/mails/test": (nil, #"{"address":"ops@example.com"}"#, json),
      "GET /tenants/{tenant}/audit/verify": (nil, nil, nil),
      "GET /tenants/{tenant}/audit/export": ("?after=1", nil, nil),
      "GET /tenants/{tenant}/keys/jwks": (nil, nil, nil), "POST /keys/rewrap": (nil, #"{"dry_run":true}"#, json),
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

  func sample(_ route: AdminRoute, kid: String = "some", webhook: String = "0000") -> AdminSample? {
    AdminSample.of(route, policy: policy, kid: kid, webhook: webhook)
  }

  /// The tenant's audit rows of an event, newest first.
  func audit(_ event: AuditEvent, of tenant: String = "vibes") async throws -> [AuditEntry] {
    let record = try await Tenants.find(tenant, server.services)
    return try await server.services.store.open(record.id).audit(AuditQuery(event: event.rawValue), limit: 10)
  }
}
