import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseRuntime

/// Cross-origin calls from browsers: only from origins that the tenant's policy lists.
enum CORS {
  /// The fields to add for an allowed origin; none for any other, `null` included.
  /// `credentials` lets the origin's script send and get cookies, where an operation binds a browser by one.
  static func fields(_ request: Request, _ tenant: TenantSnapshot?, credentials: Bool = false) -> [(
    name: String, value: String
  )] {
    guard let tenant, !tenant.policy.app.origins.isEmpty else { return [] }
    guard let origin = request.headers.single("origin"), allows(origin, tenant) else { return [("Vary", "Origin")] }
    return [
      ("Access-Control-Allow-Origin", origin), ("Vary", "Origin"),
      ("Access-Control-Expose-Headers", exposed),
    ] + (credentials ? [("Access-Control-Allow-Credentials", "true")] : [])
  }

  /// Further fields of a preflight's answer.
  static func preflight(_ request: Request, _ tenant: TenantSnapshot, methods: String) -> [(
    name: String, value: String
  )] {
    guard let origin = request.headers.single("origin"), allows(origin, tenant),
      request.headers.contains("access-control-request-method")
    else { return [] }
    return [
      ("Access-Control-Allow-Methods", methods),
      ("Access-Control-Allow-Headers", "Authorization, Content-Type, X-Request-Id, Idempotency-Key"),
      ("Access-Control-Max-Age", "600"),
    ]
  }

  private static let exposed =
    "Retry-After, X-Request-Id, WWW-Authenticate, Policy-Revision, Idempotency-Replayed"

  private static func allows(_ origin: String, _ tenant: TenantSnapshot) -> Bool {
    if tenant.policy.app.origins.contains(where: { $0.utf8.elementsEqual(origin.utf8) }) { return true }
    // What a policy spells in another way than browsers do.
    guard let asked = WebOrigin(origin) else { return false }
    return tenant.policy.app.origins.contains { WebOrigin($0) == asked }
  }
}
