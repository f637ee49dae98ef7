package import GatehouseIdentity
package import GatehousePrimitives
package import GatehouseRuntime

/// The public listener: everything that apps and people call.
package struct PublicServer: Sendable {
  private let services: Services
  private let front: Front
  private let proxies: ProxyTrust
  private let isSecure: Bool
  private let callers: CallerGate
  private let description: APIDescription
  private let limits = RequestLimits()
  /// Nil on a server for the public.
  private let development: DevelopmentPaths?

  /// `isSecure` says that people reach this server over HTTPS, even where a proxy speaks plain HTTP to it; `proxies`
  /// who is believed about the client's address. `keepsToHTTPS` tells browsers to come back over HTTPS only (RFC 6797).
  /// `development` adds the pages of development. Only tests say how tokens are verified, to see that the store alone
  /// holds tenants apart as well.
  package init(
    _ services: Services, metrics: Metrics, isSecure: Bool, keepsToHTTPS: Bool = true, proxies: ProxyTrust = .none,
    development: Development? = nil, verifyingTokens: TokenVerifier? = nil, namesClients: Bool = false,
    tracer: Tracer? = nil, log: @escaping RequestLog
  ) {
    self.services = services
    self.proxies = proxies
    self.isSecure = isSecure
    self.development = development.map { DevelopmentPaths($0, services) }
    description = APIDescription(services.publicURL)
    front = Front(
      log: log, metrics: metrics,
      strictTransport: isSecure && keepsToHTTPS ? "max-age=63072000; includeSubDomains" : nil,
      namesClients: namesClients, tracer: tracer)
    callers = CallerGate(verify: verifyingTokens ?? CallerGate.verifier())
  }

  /// This server for the requests of one more loop.
  package func handlers() -> Handlers {
    let seen = services.seenSessions.part()
    let kept = KeptAnswers()
    let surfaces: [any Surface<Call>] = [
      HostedPages(services: services, isSecure: isSecure), PageAssets(services: services, kept: kept),
      Documents(kept: kept),
      ProviderLanding(services: services, isSecure: isSecure),
      APISurface(services: services, callers: callers, seen: seen, isSecure: isSecure),
    ]
    let loop = PublicLoop(
      services, front, limits, proxies, isSecure: isSecure, description, development, kept, surfaces)
    let refusals = HTTPRefusals(ids: loop.ids, log: front.log)
    return Handlers(
      immediately: loop.repeated, refusal: refusals.response,
      tooLarge: { [isSecure] in refusals.page($0, isSecure: isSecure) }, handler: loop.handle)
  }
}
