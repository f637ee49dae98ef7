package import GatehouseIdentity
import GatehousePrimitives
package import GatehouseRuntime

/// The operations listener: is the process there, may it serve, what does it count. Keep it private.
package struct OperationsServer: Sendable {
  private let registry: TenantRegistry
  private let metrics: Metrics
  private let version: String
  /// Why the server may not serve right now, by part; empty when it may.
  private let troubles: @Sendable () async -> [String: String]
  private let policyFiles: @Sendable () -> PolicyFilesDetail?

  package init(
    registry: TenantRegistry, metrics: Metrics, version: String,
    policyFiles: @escaping @Sendable () -> PolicyFilesDetail? = { nil },
    troubles: @escaping @Sendable () async -> [String: String]
  ) {
    self.registry = registry
    self.metrics = metrics
    self.version = version
    self.troubles = troubles
    self.policyFiles = policyFiles
  }

  /// This server for the requests of one loop. Its requests are not in the log, and its refusals neither.
  package func handlers() -> Handlers {
    Handlers(refusal: HTTPRefusals(ids: RequestIDs(), log: { _ in }).response, handler: handle)
  }

  /// Answers one request.
  private func handle(_ request: Request) async -> Response {
    guard request.method == .get || request.method == .head else {
      var response = Response.text("only GET\n", status: 405)
      response.headers.set("Allow", "GET, HEAD")
      return response
    }
    var response: Response
    switch request.path {
    case "/healthz": response = .text("ok\n")
    case "/readyz": response = await ready()
    case "/metrics":
      response = Response(
        status: 200, contentType: "text/plain; version=0.0.4; charset=utf-8", body: Array(metrics.text.utf8))
    case "/version": response = .json(JSONValue.object(["version": .string(version)]).bytes)
    default: response = .text("try /healthz, /readyz, /metrics or /version\n", status: 404)
    }
    response.headers.set("Cache-Control", "no-store")
    return response
  }

  private func ready() async -> Response {
    var troubles = await troubles()
    if let why = registry.trouble { troubles["tenants"] = why }
    var details = JSONObject()
    for (part, why) in troubles.sorted(by: { $0.key < $1.key }) { details[part] = .string(why) }
    var body: JSONObject = ["ready": .bool(troubles.isEmpty)]
    if !details.members.isEmpty { body["troubles"] = .object(details) }
    addTenants(to: &body)
    // The live policy goes on serving, whatever a file says.
    policyFiles()?.add(to: &body)
    return .json(JSONValue.object(body).bytes, status: troubles.isEmpty ? 200 : 503)
  }

  /// Tenants that are not served at all, and those whose newest revision does not load: a last good one serves these.
  private func addTenants(to body: inout JSONObject) {
    let unserved = registry.unserved
    let stale = registry.failures.filter { unserved[$0.key] == nil }
    for (member, failures) in [("tenants_not_served", unserved), ("tenants_on_last_good_revision", stale)] {
      var tenants = JSONObject()
      for (name, failure) in failures.sorted(by: { $0.key < $1.key }) { tenants[name] = .string(failure.reason) }
      if !tenants.members.isEmpty { body[member] = .object(tenants) }
    }
  }
}
