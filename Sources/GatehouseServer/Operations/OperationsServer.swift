package import GatehouseIdentity
import GatehousePrimitives
package import GatehouseRuntime

/// The operations listener: is the process there, may it serve, what does it count. Keep it private.
package struct OperationsServer: Sendable {
  private let registry: TenantRegistry
  private let metrics: Metrics
  private let version: String
  private let conditions: [ReadinessCondition]
  private let database: @Sendable () -> String
  private let policyFiles: @Sendable () -> PolicyFilesDetail?
  private let configuration: @Sendable () -> ConfigurationDetail?
  private let warnings: @Sendable () -> [(name: String, sentence: String)]

  /// - Parameters:
  ///   - conditions: those of which each must hold before `/readyz` is 200.
  ///   - database: what `/readyz` says of the database, whether the server is ready or not.
  package init(
    registry: TenantRegistry, metrics: Metrics, version: String, conditions: [ReadinessCondition],
    database: @escaping @Sendable () -> String, policyFiles: @escaping @Sendable () -> PolicyFilesDetail? = { nil },
    configuration: @escaping @Sendable () -> ConfigurationDetail? = { nil },
    warnings: @escaping @Sendable () -> [(name: String, sentence: String)] = { [] }
  ) {
    self.registry = registry
    self.metrics = metrics
    self.version = version
    self.conditions = conditions
    self.database = database
    self.policyFiles = policyFiles
    self.configuration = configuration
    self.warnings = warnings
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
    case "/readyz": response = ready()
    case "/metrics":
      response = Response(
        status: 200, contentType: "text/plain; version=0.0.4; charset=utf-8", body: Array(metrics.text.utf8))
    case "/version": response = .json(JSONValue.object(["version": .string(version)]).bytes)
    case "/config": response = .json((configuration()?.whole ?? .object(JSONObject())).bytes)
    default: response = .text("try /healthz, /readyz, /metrics, /config or /version\n", status: 404)
    }
    response.headers.set("Cache-Control", "no-store")
    return response
  }

  /// Never waits for the database.
  private func ready() -> Response {
    var troubles = JSONObject()
    for condition in conditions {
      if let why = condition.trouble() { troubles[condition.name] = .string(why) }
    }
    let isReady = troubles.members.isEmpty
    var body: JSONObject = ["ready": .bool(isReady), "database": .string(database())]
    if !isReady { body["troubles"] = .object(troubles) }
    addTenants(to: &body)
    // The live policy goes on serving, even beside a refused file.
    policyFiles()?.add(to: &body)
    configuration()?.add(to: &body)
    let sentences = warnings()
    if !sentences.isEmpty {
      body["warnings"] = .object(sentences.reduce(into: JSONObject()) { $0[$1.name] = .string($1.sentence) })
    }
    return .json(JSONValue.object(body).bytes, status: isReady ? 200 : 503)
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

/// One of the conditions of readiness.
package struct ReadinessCondition: Sendable {
  /// Its member of `troubles`.
  let name: String
  /// Why it does not hold; nil where it does. Answers at once.
  let trouble: @Sendable () -> String?

  package init(_ name: String, trouble: @escaping @Sendable () -> String?) {
    self.name = name
    self.trouble = trouble
  }
}
