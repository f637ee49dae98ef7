import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseRuntime
import GatehouseWire

/// The public listener on one loop: tenant, surface and entry in this order, and one answer to every request. Its
/// cache, ids and counts belong to this loop alone: processors that write the same memory in turns wait for each other.
struct PublicLoop: Sendable {
  let ids = RequestIDs()
  private let services: Services
  private let front: Front
  private let limits: RequestLimits
  private let proxies: ProxyTrust
  /// Whether people reach this server over HTTPS.
  private let isSecure: Bool
  /// The entries at the root of the host of all tenants, and of a tenant's own host.
  private let roots: (shared: SurfaceTable<RootPaths.Context>, own: SurfaceTable<RootPaths.Context>)
  /// The entries below a tenant.
  private let table: SurfaceTable<Call>
  /// The pages of development; nil on a server for the public.
  private let development: DevelopmentPaths?
  private let kept: KeptAnswers
  private let tally: RequestTally

  init(
    _ services: Services, _ front: Front, _ limits: RequestLimits, _ proxies: ProxyTrust, isSecure: Bool,
    _ description: APIDescription, _ development: DevelopmentPaths?, _ kept: KeptAnswers,
    _ surfaces: [any Surface<Call>]
  ) {
    self.services = services
    self.front = front
    self.limits = limits
    self.proxies = proxies
    self.isSecure = isSecure
    self.development = development
    self.kept = kept
    tally = front.metrics.tally()
    roots = (
      SurfaceTable([RootPaths(description, isOwnHost: false)], read: PathTemplate.plain),
      SurfaceTable([RootPaths(description, isOwnHost: true)], read: PathTemplate.plain)
    )
    table = SurfaceTable(surfaces, read: PathTemplate.plain)
  }

  /// The answer to a request for which one was kept; nil: it is `handle`'s.
  func repeated(_ request: Request) -> Response? {
    let clock = RequestClock(services.clock)
    let moment = KeptAnswers.Moment(services.registry, at: clock.now)
    guard let answer = kept.find(request, at: moment), !moment.hasHosts || host(of: request) == nil else { return nil }
    let id = ids.name(of: request)
    let trace = front.trace(request, proxies)
    var response = answer.response
    response.requestID = id
    // Documents are asked for most of all: only what a record needs is put together.
    var record = RequestRecord(
      requestID: id, tenant: answer.tenant, method: "GET", route: answer.route, status: response.status,
      violated: [], warned: [], microseconds: clock.elapsed)
    record.client = namedClient(request)
    record.trace = trace?.place
    front.note(record, in: tally)
    trace?.end(record)
    return response
  }

  /// The client's address for the record, where the listener keeps it.
  private func namedClient(_ request: Request) -> NetworkAddress? {
    front.namesClients ? NetworkAddress(bytes: proxies.client(of: request).bytes) : nil
  }

  /// The tenant at whose own host the request came in. There the path alone does not say whose it is.
  private func host(of request: Request) -> HostTarget? {
    request.host.flatMap { services.registry.target(at: $0) }
  }

  /// Answers one request.
  func handle(_ request: Request) async -> Response {
    guard let trace = front.trace(request, proxies) else { return await handle(request, in: nil) }
    return await trace.run { await handle(request, in: trace) }
  }

  private func handle(_ request: Request, in trace: RequestTrace?) async -> Response {
    var exchange = Exchange(
      request, id: ids.name(of: request), clock: RequestClock(services.clock),
      languages: request.acceptLanguage.map(Languages.parse) ?? [], trace: trace)
    exchange.record.client = namedClient(request)
    let moment = KeptAnswers.Moment(services.registry, at: exchange.clock.now)
    let target = moment.hasHosts ? host(of: request) : nil
    var answer = await answer(request, target, &exchange)
    if !answer.cookies.isEmpty {
      answer.cookies += HostCookies(request, isSecure: isSecure).crowdedOut(by: answer.cookies)
    }
    exchange.record.warned = answer.warned
    if answer.status >= 500, let tenant = exchange.tenant {
      exchange.tries?.failed(with: exchange.record.code, of: tenant.id, at: exchange.clock.now, services.returns)
    }
    var response = front.response(answer, exchange)
    // Refusals too say which policy judged them.
    if let tenant = exchange.tenant, !response.headers.contains("policy-revision") {
      response.headers.set("Policy-Revision", String(tenant.revision))
    }
    for field in CORS.fields(request, exchange.tenant, credentials: exchange.traits.contains(.bindsBrowser)) {
      response.headers.add(field.name, field.value)
    }
    if target == nil, exchange.traits.contains(.isPublic), let tenant = exchange.tenant {
      kept.keep(response, of: exchange.record.route, tenant, to: request, at: moment)
    }
    front.note(exchange, status: response.status, in: tally)
    // GUARD: enumeration: answers leave at whole steps
    if exchange.traits.contains(.isEven) { await ResponseTimePadding.wait(response, since: exchange.clock.started) }
    return response
  }

  private func answer(_ request: Request, _ target: HostTarget?, _ exchange: inout Exchange) async -> Answer {
    if let development, target == nil, let answer = await development.answer(&exchange) { return answer }
    // Paths are plain: nothing in them needs a percent sign, so that nothing is decoded and nothing is read in two
    // ways. Only the last segment may be empty.
    guard let path = PathTemplate.segments(of: request.path), path.dropLast().allSatisfy({ !$0.isEmpty }),
      !path.contains(where: { $0.contains(0x25) })
    else { return exchange.refusal(by: Refusal(.notFound)) }
    let root = target == nil ? roots.shared : roots.own
    let matches = root.matches(path)
    guard matches.isEmpty else {
      return await Dispatch(matches, root, path).answer(&exchange) { _ in RootPaths.Context(host: target) }
    }
    let (tenant, rest): (TenantSnapshot?, PathSegments)
    do {
      (tenant, rest) = try self.tenant(path, target?.tenant)
    } catch {
      return exchange.refusal(by: error)
    }
    return await Dispatch(table.matches(rest), table, rest).answer(&exchange) { exchange in
      guard let tenant else { throw Refusal(.tenantNotFound) }
      exchange.tenant = tenant
      exchange.root = PageAssets.root(from: rest)
      // GUARD: tenant disabled
      guard tenant.enabled else { throw Refusal(.tenantDisabled) }
      let call = Call(
        tenant: tenant, requestID: exchange.id, address: NetworkAddress(bytes: proxies.client(of: request).bytes),
        languages: exchange.languages, now: exchange.clock.now, userAgent: request.headers.single("user-agent"),
        host: request.host, root: exchange.root)
      exchange.tries = call.tries
      try await limits.admit(call, services)
      return call
    }
  }

  /// The tenant, once, from the path or from its own host, and the path below it. On an own host no other tenant is
  /// there: what one shows must not stand at another's address.
  private func tenant(_ path: PathSegments, _ own: TenantSnapshot?) throws -> (TenantSnapshot?, PathSegments) {
    guard path.first?.elementsEqual("t".utf8) == true, path.count >= 2 else {
      guard let own else { throw Refusal(.notFound) }
      return (own, path)
    }
    let name = String(decoding: path[1], as: UTF8.self)
    // GUARD: tenant: own host shows no other
    if let own, !own.name.description.utf8.elementsEqual(name.utf8) { throw Refusal(.notFound) }
    return (services.registry.snapshot(name), Array(path.dropFirst(2)))
  }
}
