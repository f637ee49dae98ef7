import GatehouseAdminWire
package import GatehouseIdentity
import GatehousePrimitives
import GatehouseWire
package import GatehouseTesting

/// A request that each row of `AdminRoutes` takes, about the tenant `vibes`. A new row has its request here.
package struct AdminSample: Sendable {
  package let method: String
  package let path: String
  package private(set) var body: String?
  package private(set) var headers: [String: String] = [:]

  /// Nil for a row without a request here.
  package static func of(
    _ route: AdminRoute, policy: String, kid: String = "some", webhook: String = "0000", host: String = host
  ) -> AdminSample? {
    let key = "\(route.method.rawValue) \(route.path)"
    guard let found = samples(policy)[key] else { return nil }
    // A user of its own is erased, so that the user to delete is still there.
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

  /// A host that the tenant has before the rows are tried, as it has bo@example.com and cy@example.com.
  package static let host = "auth.vibes.example"

  private typealias Found = (query: String?, body: String?, type: String?)

  private static func samples(_ policy: String) -> [String: Found] {
    let yaml = "application/yaml"
    let json = "application/json"
    let text = String(decoding: JSONValue.string(policy).bytes, as: UTF8.self)
    return [
      "GET /tenants": ("?limit=10", nil, nil), "GET /tenants/{tenant}": (nil, nil, nil),
      "POST /policy/check": ("?file=x.yaml", policy, yaml), "GET /tenants/{tenant}/policy": (nil, nil, nil),
      "PUT /tenants/{tenant}/policy": ("?reason=test", policy, yaml),
      "POST /policies": (nil, #"{"items":[{"tenant":"vibes","text":\#(text)}]}"#, json),
      "POST /tenants/{tenant}/policy/rollback": (nil, #"{"revision":1,"reason":"sign-ups failed"}"#, json),
      "GET /tenants/{tenant}/policy/revisions": (nil, nil, nil),
      "POST /tenants/{tenant}/policy/diff": (nil, policy, yaml),
      "GET /tenants/{tenant}/policy/diff": ("?from=1", nil, nil),
      "POST /tenants/{tenant}/policy/impact": (nil, #"{"text":\#(text)}"#, json),
      "POST /tenants/{tenant}/policy/explain": (nil, #"{"rule":"password.min8"}"#, json),
      "POST /tenants/{tenant}/policy/purge": (nil, #"{"field":"nickname","dry_run":true}"#, json),
      "GET /tenants/{tenant}/policy/backfills": (nil, nil, nil),
      "POST /tenants/{tenant}/policy/backfills/undo": (nil, "{}", json),
      "POST /tenants": (nil, #"{"name":"made","display_name":"Made"}"#, json),
      "PATCH /tenants/{tenant}": (nil, #"{"display_name":"Vibes"}"#, json),
      // Operations that delete for good come last.
      "DELETE /tenants/{tenant}": (nil, nil, nil),
      "GET /tenants/{tenant}/users": ("?query=o&limit=5", nil, nil),
      "POST /tenants/{tenant}/users": (
        nil, #"{"email":"kay@example.com","profile":{"username":"kay"}}"#, json
      ),
      "GET /tenants/{tenant}/users/{user}": (nil, nil, nil),
      "PATCH /tenants/{tenant}/users/{user}": (nil, #"{"disabled":false}"#, json),
      "DELETE /tenants/{tenant}/users/{user}": (nil, nil, nil),
      "GET /tenants/{tenant}/deleted-users": ("?limit=5", nil, nil),
      "POST /tenants/{tenant}/deleted-users/{user}/restore": (nil, "{}", json),
      "POST /tenants/{tenant}/deleted-users/restore": (nil, #"{"since":"2027-03-01T00:00:00Z","dry_run":true}"#, json),
      "POST /tenants/{tenant}/user-changes": (
        nil, #"{"change":"set","query":"no such","fields":["username="],"background":true}"#, json
      ),
      "POST /tenants/{tenant}/users/{user}/verify-email": (nil, "{}", json),
      "POST /tenants/{tenant}/users/{user}/send-reset": (nil, "{}", json),
      "POST /tenants/{tenant}/users/{user}/unlock": (nil, "{}", json),
      "GET /tenants/{tenant}/users/{user}/factors": (nil, nil, nil),
      "POST /tenants/{tenant}/users/{user}/mfa-reset": (nil, #"{"reason":"came to the desk"}"#, json),
      "GET /tenants/{tenant}/limits": ("?name=sign_up_per_ip&limit=5", nil, nil),
      "GET /tenants/{tenant}/limits/summary": (nil, nil, nil),
      "POST /tenants/{tenant}/limits/clear": (nil, #"{"user":"bo@example.com"}"#, json),
      "GET /tenants/{tenant}/users/{user}/sessions": (nil, nil, nil),
      "DELETE /tenants/{tenant}/users/{user}/sessions": (nil, nil, nil),
      "POST /tenants/{tenant}/push-tokens": (nil, #"{"users":["0190e5a2-5c1b-7e7c-8d3a-3a1f5b6c7d8e"]}"#, json),
      "DELETE /tenants/{tenant}/push-tokens": (
        nil, #"{"user":"0190e5a2-5c1b-7e7c-8d3a-3a1f5b6c7d8e","token":"some"}"#, json
      ),
      "GET /tenants/{tenant}/users/{user}/export": (nil, nil, nil),
      "POST /tenants/{tenant}/users/{user}/erase": (nil, "{}", json),
      "GET /tenants/{tenant}/hosts": (nil, nil, nil),
      "POST /tenants/{tenant}/hosts": (nil, #"{"host":"new.vibes.example"}"#, json),
      "POST /tenants/{tenant}/hosts/{host}/allow": (nil, "{}", json),
      "POST /tenants/{tenant}/hosts/{host}/verify": (nil, "{}", json),
      "DELETE /tenants/{tenant}/hosts/{host}": (nil, nil, nil),
      // <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>
      "PUT /tenants/{tenant}/logo": (
        nil,
        #"{"base64url":"PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCAxIDEiLz4"}"#,
        json
      ),
      "GET /tenants/{tenant}/logo": (nil, nil, nil), "DELETE /tenants/{tenant}/logo": (nil, nil, nil),
      "GET /tenants/{tenant}/webhooks": (nil, nil, nil),
      "POST /tenants/{tenant}/webhooks": (nil, #"{"url":"https://example.com/in","events":["user.created"]}"#, json),
      "GET /tenants/{tenant}/webhooks/{webhook}": (nil, nil, nil),
      "DELETE /tenants/{tenant}/webhooks/{webhook}": (nil, nil, nil),
      "POST /tenants/{tenant}/webhooks/{webhook}/rotate-secret": (nil, "{}", json),
      "POST /tenants/{tenant}/webhooks/{webhook}/enable": (nil, "{}", json),
      "POST /tenants/{tenant}/webhooks/{webhook}/test": (nil, "{}", json),
      "GET /tenants/{tenant}/mails/{kind}": ("?language=es", nil, nil),
      "POST /tenants/{tenant}/mails/test": (nil, #"{"address":"ops@example.com"}"#, json),
      "GET /tenants/{tenant}/mail-queue": ("?limit=5", nil, nil),
      "POST /tenants/{tenant}/mail-queue/retry": (nil, "{}", json),
      "POST /tenants/{tenant}/mail-queue/drop": (nil, #"{"kind":"reset_password"}"#, json),
      "GET /tenants/{tenant}/audit/verify": (nil, nil, nil),
      "GET /tenants/{tenant}/audit/export": ("?after=1", nil, nil),
      "POST /tenants/{tenant}/audit/cut": (nil, "{}", json),
      "GET /tenants/{tenant}/keys/jwks": (nil, nil, nil), "POST /keys/rewrap": (nil, #"{"dry_run":true}"#, json),
      "GET /tenants/{tenant}/keys": (nil, nil, nil), "POST /tenants/{tenant}/keys/rotate": (nil, "{}", json),
      "POST /tenants/{tenant}/keys/{kid}/retire": (nil, "{}", json),
      "GET /tenants/{tenant}/secrets": (nil, nil, nil),
      "PUT /tenants/{tenant}/secrets/{name}": (nil, #"{"value":"hunter2"}"#, json),
      "DELETE /tenants/{tenant}/secrets/{name}": (nil, nil, nil),
      "GET /tenants/{tenant}/audit": ("?limit=3&event=policy_applied", nil, nil),
      "GET /audit": ("?limit=3&by=test", nil, nil), "GET /tokens": (nil, nil, nil),
      "POST /tokens": (nil, #"{"name":"made","scopes":["audit:read"]}"#, json),
      "DELETE /tokens/{name}": (nil, nil, nil),
    ]
  }

  /// The same request with a name in its query that no row knows.
  package var withUnknownName: AdminSample {
    AdminSample(
      method: method, path: path + (path.contains("?") ? "&" : "?") + "colour=red", body: body, headers: headers)
  }

  package func send(_ client: TestClient, token: String?, headers more: [String: String] = [:]) async throws
    -> TestClient.Answer
  {
    try await client.send(method, path, body, token: token, headers: headers.merging(more) { $1 })
  }

  /// Disables the tenant, which comes before its deletion.
  package static func disable(_ client: TestClient, token: String) async throws {
    _ = try await client.send("PATCH", "/admin/v1/tenants/vibes", #"{"enabled":false}"#, token: token)
  }

  /// Whether the request names a tenant in its path or body.
  package var isAboutTenant: Bool { path.contains("/vibes") || body?.contains(#""tenant":"vibes""#) == true }

  /// Every row, with what ends something for good behind what needs it: sessions before their person, the tenant last.
  package static var order: [AdminRoute] {
    let all = AdminRoutes.all
    func isTenant(_ route: AdminRoute) -> Bool { route.path == "/tenants/{tenant}" }
    func bringsBack(_ route: AdminRoute) -> Bool { route.is(UndeleteUserOperation.self) }
    return
      (all.filter { $0.method != .delete && !bringsBack($0) } + all.filter { $0.method == .delete && !isTenant($0) }
      + all.filter(bringsBack) + all.filter { $0.method == .delete && isTenant($0) })
      .sorted { $0.path.hasSuffix("/sessions") && !$1.path.hasSuffix("/sessions") }
  }
}
