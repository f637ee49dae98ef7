import Foundation
package import GatehouseIdentity
import GatehousePolicy
package import GatehousePrimitives
package import GatehouseRuntime
import GatehouseWire

/// The admin listener: token, route, scope and input in this order, then the operation; every request gets one answer.
/// It knows no tenant's own routes, and the public listener knows none of these. No browser is let in from elsewhere.
package struct AdminServer: Sendable {
  private let services: Services
  private let front: Front
  private let ids = RequestIDs()
  private let proxies: ProxyTrust
  private let documents = SurfaceTable<Void>([AdminDocuments()], read: PathTemplate.plain)
  private let operations: SurfaceTable<AdminSurface.Context>
  private let knocking = FailedTokens()
  /// Turns per address, IPv6 by its /64. The bound is the number of connections from one IPv4 address.
  private let turns = KeyedQueue<[UInt8]>(mostWaiting: 64)

  /// `isSecure` says that operators reach this listener over HTTPS; `proxies` who is believed about their address.
  package init(
    _ services: Services, metrics: Metrics, isSecure: Bool, proxies: ProxyTrust = .none,
    namesClients: Bool = false, tracer: Tracer? = nil, log: @escaping RequestLog
  ) {
    self.services = services
    self.proxies = proxies
    front = Front(
      log: log, metrics: metrics, strictTransport: isSecure ? "max-age=63072000" : nil,
      namesClients: namesClients, tracer: tracer)
    operations = SurfaceTable([AdminSurface(services: services)], read: PathTemplate.decoded)
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

  /// This server for the requests of one loop.
  package func handlers() -> Handlers {
    Handlers(refusal: HTTPRefusals(ids: ids, log: front.log).response, handler: handle)
  }

  /// Answers one request.
  private func handle(_ request: Request) async -> Response {
    guard let trace = front.trace(request, proxies) else { return await handle(request, in: nil) }
    return await trace.run { await handle(request, in: trace) }
  }

  private func handle(_ request: Request, in trace: RequestTrace?) async -> Response {
    var exchange = Exchange(
      request, id: ids.name(of: request), clock: RequestClock(services.clock), languages: [], trace: trace)
    if front.namesClients {
      exchange.record.client = NetworkAddress(bytes: proxies.client(of: request).bytes)
    }
    let response = front.response(await answer(request, &exchange), exchange)
    front.note(exchange, status: response.status)
    return response
  }

  private func answer(_ request: Request, _ exchange: inout Exchange) async -> Answer {
    guard let path = PathTemplate.segments(of: request.path), path.count >= 2,
      path.prefix(2).elementsEqual(Self.root, by: { $0.elementsEqual($1) })
    else { return .adminProblem(Refusal(.notFound), &exchange) }
    let open = documents.matches(path)
    guard open.isEmpty else { return await Dispatch(open, documents, path).answer(&exchange) { _ in } }
    let context: AdminSurface.Context
    do {
      // Before anything is said of what there is: a caller without a token learns nothing.
      let address = NetworkAddress(bytes: proxies.client(of: request).bytes)
      let bearer = try await bearer(request, address, at: exchange.clock.now)
      exchange.record.operatorName = bearer.name
      context = AdminSurface.Context(bearer: bearer, requestID: exchange.id, address: address)
    } catch {
      return .adminProblem(error, &exchange)
    }
    return await Dispatch(operations.matches(path), operations, path).answer(&exchange) { _ in context }
  }

  private static let root = ["admin", "v1"].map { Array($0.utf8) }

  /// The bearer of the one token in the `Authorization` field. Every token that is no good gets the same answer; a
  /// valid one is answered even after bad tokens from its address.
  private func bearer(_ request: Request, _ address: NetworkAddress?, at now: Date) async throws -> Operator {
    let fields = request.headers.values(of: "authorization")
    let parts = fields.count == 1 ? fields[0].split(separator: " ", maxSplits: 1) : []
    let token = parts.count == 2 && parts[0].lowercased() == "bearer" ? String(parts[1]) : ""
    if let address, let wait = knocking.wait(address, at: now) {
      // A look-up is one read by an indexed hash, and only of a well-formed token. Turns bound what a flood of false
      // ones costs: one read at a time for each address that failed.
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
}
