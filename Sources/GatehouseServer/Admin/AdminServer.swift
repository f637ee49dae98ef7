package import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
package import GatehouseRuntime
import GatehouseWire

/// The admin listener: token, route, scope and input in this order, then the operator's verb; one answer whatever happens.
/// It knows no tenant's own routes, and the public listener knows none of these. No browser is let in from elsewhere.
package struct AdminServer: Sendable {
  private let services: Services
  private let log: RequestLog
  private let metrics: Metrics
  private let ids = RequestIDs()
  private let proxies: ProxyTrust
  private let isSecure: Bool
  private let rows: [AdminRow]
  private let knocking = FailedTokens()
  /// Of an address, IPv6 by its /64. So many wait as a listener takes connections from one IPv4 address.
  private let turns = Turns<[UInt8]>(mostWaiting: 64)

  /// `isSecure` says that operators reach this listener over HTTPS; `proxies` who is believed about their address.
  package init(
    _ services: Services, metrics: Metrics, isSecure: Bool, proxies: ProxyTrust = .none, log: @escaping RequestLog
  ) {
    self.services = services
    self.log = log
    self.metrics = metrics
    self.proxies = proxies
    self.isSecure = isSecure
    rows = AdminRoutes.all.map { AdminRow($0) }
  }

  /// The bounds of its listener: policy files and lists of them come in, from a few operators.
  package static var limits: HTTPLimits {
    var limits = HTTPLimits()
    limits.bodyBytes = AdminRow.mostBody
    limits.bufferedBytes = 2 * AdminRow.mostBody
    limits.connections = 256
    limits.connectionsPerAddress = 64
    return limits
  }

  /// What happened so far, for the record.
  private struct Progress {
    var route = "(none)"
    var bearer: String?
    var code: ErrorCode?
    var note: String?
  }

  /// This server for the requests of one loop.
  package func handlers() -> Handlers {
    Handlers(refusal: HTTPRefusals(ids: ids, log: log).response, handler: handle)
  }

  /// Answers one request.
  private func handle(_ request: Request) async -> Response {
    let started = ContinuousClock.now
    let id = ids.name(of: request)
    var progress = Progress()
    var response: Response
    do {
      response = try await answer(request, id, &progress)
    } catch {
      let (problem, note) = AdminProblems.problem(of: error, requestID: id)
      (progress.code, progress.note) = (problem.code.known, note)
      response = Self.response(problem)
      if problem.code == .methodNotAllowed { response.headers.set("Allow", note ?? "") }
    }
    response.headers.set("X-Content-Type-Options", "nosniff")
    response.headers.set("Cache-Control", "no-store")
    if isSecure { response.headers.set("Strict-Transport-Security", "max-age=63072000") }
    response.requestID = id
    let elapsed = (ContinuousClock.now - started).components
    var record = RequestRecord(
      requestID: id, method: request.method.asKnown, route: progress.route, status: response.status,
      code: progress.code, violated: [], warned: [],
      microseconds: Int(elapsed.seconds) * 1_000_000 + Int(elapsed.attoseconds / 1_000_000_000_000),
      note: response.status >= 500 ? progress.note : nil)
    record.operatorName = progress.bearer
    metrics.count(record)
    log(record)
    return response
  }

  private func answer(_ request: Request, _ id: String, _ progress: inout Progress) async throws -> Response {
    let path = Array(request.path.utf8).split(separator: 0x2F, omittingEmptySubsequences: false).dropFirst()
    guard path.count >= 2, path.prefix(2).elementsEqual(Self.root, by: { $0.elementsEqual($1) }) else {
      throw Refusal(.notFound)
    }
    let rest = Array(path.dropFirst(2))
    if rest.count == 1, rest[0].elementsEqual("openapi.json".utf8) {
      progress.route = "/admin/v1/openapi.json"
      guard request.method == .get || request.method == .head else {
        throw Refusal(.methodNotAllowed, note: "GET, HEAD")
      }
      return Response.json(AdminDescription.document.bytes)
    }
    // Before anything is said of what there is: whoever has no token learns nothing.
    let address = NetworkAddress(bytes: proxies.client(of: request).bytes)
    let bearer = try await bearer(request, address)
    progress.bearer = bearer.name
    let here = rows.compactMap { row in row.match(rest).map { (row: row, parameters: $0) } }
    guard let first = here.first else { throw Refusal(.notFound) }
    progress.route = "/admin/v1" + first.row.route.path
    guard let (row, parameters) = here.first(where: { $0.row.route.method.rawValue == request.method.asRouted }) else {
      throw Refusal(.methodNotAllowed, note: Self.list(here.map(\.row.route.method)))
    }
    progress.route = "/admin/v1" + row.route.path
    // Who may not do it is not told what is wrong with the rest.
    try bearer.require(row.route.scope)
    let input = try row.input(request, parameters: parameters)
    let key = row.route.isIdempotent ? try IdempotencyGate.key(request) : nil
    let wish = key.map { OperatorWish(key: $0, body: request.body) }
    let call = OperatorCall(bearer, services, requestID: id, address: address, wish: wish)
    return try row.response(try await row.route.run(input, call))
  }

  private static let root = ["admin", "v1"].map { Array($0.utf8) }

  /// The bearer of the one token in the `Authorization` field. Every token that is no good gets the same answer; a valid one is
  /// answered whatever its address showed before.
  private func bearer(_ request: Request, _ address: NetworkAddress?) async throws -> Operator {
    let now = services.clock.now
    let fields = request.headers.values(of: "authorization")
    let parts = fields.count == 1 ? fields[0].split(separator: " ", maxSplits: 1) : []
    let token = parts.count == 2 && parts[0].lowercased() == "bearer" ? String(parts[1]) : ""
    if let address, let wait = knocking.wait(address, at: now) {
      // A look-up is one read by an indexed hash, and only of a well-formed token. Turns bound what a flood of false ones costs:
      // one read at a time for each address that failed.
      // GUARD: admin: a valid token is never delayed
      if let found = try await turns.run(address.countingKey, { try await AdminTokens.bearer(of: token, services) }) {
        return found
      }
      throw Refusal(.tooManyAttempts, retryAfter: wait)
    }
    guard let found = try await AdminTokens.bearer(of: token, services) else {
      // GUARD: admin: bad tokens are slowed
      if !fields.isEmpty { knocking.count(address, at: now) }
      throw Refusal(.unauthenticated)
    }
    return found
  }

  private static func response(_ problem: AdminProblem) -> Response {
    // A problem is plain strings and numbers: encoding one cannot fail.
    let body = (try? JSONEncoding.encode(problem)) ?? Array("{}".utf8)
    var response = Response(status: problem.status, contentType: "application/problem+json", body: body)
    if let seconds = problem.retryAfter ?? (problem.status == 503 ? 1 : nil) {
      response.headers.set("Retry-After", String(seconds))
    }
    if problem.status == 401 { response.headers.set("WWW-Authenticate", "Bearer") }
    if let revision = problem.revision { response.headers.set("ETag", "\"\(revision)\"") }
    return response
  }

  private static func list(_ methods: [GatehouseWire.Method]) -> String {
    (methods.map(\.rawValue) + (methods.contains(.get) ? ["HEAD"] : [])).joined(separator: ", ")
  }
}

extension GatehouseRuntime.Method {
  /// As records name it.
  fileprivate var asKnown: String { if case .other = self { "other" } else { description } }
}
