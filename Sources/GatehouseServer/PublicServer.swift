package import GatehouseIdentity
import Foundation
import GatehousePolicy
import GatehousePrimitives
package import GatehouseRuntime
import GatehouseWire

/// The public listener: tenant, route, caller and input in this order, then the feature; one answer whatever happens.
package struct PublicServer: Sendable {
  private let services: Services
  private let log: RequestLog
  private let metrics: Metrics
  private let documents: Documents
  private var own: Own
  private let pages: Pages
  private let landing: ProviderLanding
  private let proxies: ProxyTrust
  private let isSecure: Bool
  private let keepsToHTTPS: Bool
  private let limits = RequestLimits()
  private let callers: CallerGate

  /// `isSecure` says that people reach this server over HTTPS, even where a proxy speaks plain HTTP to it; `proxies` who
  /// is believed about the client's address. `keepsToHTTPS` tells browsers to come back over HTTPS only (RFC 6797).
  /// Only tests say how tokens are verified, to see that the store alone holds tenants apart as well.
  package init(
    _ services: Services, metrics: Metrics, isSecure: Bool, keepsToHTTPS: Bool = true, proxies: ProxyTrust = .none,
    verifyingTokens: TokenVerifier? = nil, log: @escaping RequestLog
  ) {
    self.services = services
    self.log = log
    self.metrics = metrics
    self.proxies = proxies
    self.isSecure = isSecure
    self.keepsToHTTPS = keepsToHTTPS
    callers = CallerGate(verify: verifyingTokens ?? CallerGate.verifier())
    own = Own(metrics, services.seenSessions)
    documents = Documents()
    pages = Pages(services: services, isSecure: isSecure)
    landing = ProviderLanding(services: services, isSecure: isSecure)
  }

  /// What one loop keeps, names and counts by itself: processors that write the same memory in turns wait for each other.
  private struct Own: Sendable {
    let answers = KeptAnswers()
    let ids = RequestIDs()
    let tally: RequestTally
    let seen: SeenSessions.Part

    init(_ metrics: Metrics, _ sessions: SeenSessions) {
      tally = metrics.tally()
      seen = sessions.part()
    }
  }

  /// This server for the requests of one more loop.
  package func handlers() -> Handlers {
    var server = self
    server.own = Own(metrics, services.seenSessions)
    return Handlers(
      immediately: server.repeated, refusal: HTTPRefusals(ids: server.own.ids, log: log).response,
      handler: server.handle)
  }

  /// What happened so far, for the record and for the answer to an error.
  private struct Progress {
    var tenant: TenantSnapshot?
    var route = "(none)"
    var isPage = false
    var isLanding = false
    var bindsBrowser = false
    var isDocument = false
    var isEven = false
    var refusal: Refusal?
    var warned: [String] = []
  }

  /// What a path below a tenant names.
  private enum Target {
    case page([ArraySlice<UInt8>])
    case landing(ProviderLanding.Target)
    case document(Documents.Document)
    /// The routes with this path, one for each method, literal segments before parameters.
    case operations([(route: Route, parameters: [(String, String)])])
    case nothing
  }

  /// The answer to one request for which an answer was kept; nil: it is `handle`'s.
  private func repeated(_ request: Request) -> Response? {
    let started = ContinuousClock.now
    let moment = KeptAnswers.Moment(services)
    guard let kept = own.answers.find(request, at: moment), !moment.hasHosts || host(of: request) == nil else {
      return nil
    }
    return again(kept, own.ids.name(of: request), since: started)
  }

  /// The tenant at whose own host the request came in. There the path alone does not say whose it is.
  private func host(of request: Request) -> HostPlace? {
    request.host.flatMap { services.registry.place(at: $0) }
  }

  /// Answers one request.
  private func handle(_ request: Request) async -> Response {
    let started = ContinuousClock.now
    let id = own.ids.name(of: request)
    let moment = KeptAnswers.Moment(services)
    let place = moment.hasHosts ? host(of: request) : nil
    let languages = request.acceptLanguage.map(Languages.parse) ?? []
    var progress = Progress()
    var response: Response
    do {
      response = try await answer(request, place, id, languages, &progress)
    } catch {
      let refusal = ProblemAnswer.refusal(of: error)
      progress.refusal = refusal
      response = self.response(refusal, request, id, languages, progress)
    }
    response.headers.set("X-Content-Type-Options", "nosniff")
    // RFC 6797: whoever came here once never asks without encryption again.
    if isSecure, keepsToHTTPS {
      response.headers.set("Strict-Transport-Security", "max-age=63072000; includeSubDomains")
    }
    // Refusals too say which policy judged them.
    if let tenant = progress.tenant, !response.headers.contains("policy-revision") {
      response.headers.set("Policy-Revision", String(tenant.revision))
    }
    if !response.headers.contains("cache-control") { response.headers.set("Cache-Control", "no-store") }
    for field in CORS.fields(request, progress.tenant, credentials: progress.bindsBrowser) {
      response.headers.add(field.name, field.value)
    }
    if place == nil, progress.isDocument, let tenant = progress.tenant {
      own.answers.keep(response, of: progress.route, tenant, to: request, at: moment)
    }
    response.requestID = id
    note(record(request, id, progress, status: response.status, since: started))
    // GUARD: enumeration: answers leave at whole steps
    if progress.isEven { await EvenAnswer.wait(response, since: started) }
    return response
  }

  /// A refusal as a problem, or as a page where a person is looking at one.
  private func response(
    _ refusal: Refusal, _ request: Request, _ id: String, _ languages: [String], _ progress: Progress
  ) -> Response {
    var response = ProblemAnswer.response(
      refusal, requestID: id, languages: languages, policy: progress.tenant?.policy)
    if progress.isPage, let tenant = progress.tenant {
      let call = call(tenant, request, id, languages)
      var page = progress.isLanding ? pages.landingRefusal(refusal.code, call) : pages.refusal(refusal.code, call)
      if let wait = response.headers.single("retry-after") { page.headers.set("Retry-After", wait) }
      response = page
    }
    if case .methodNotAllowed = refusal.code { response.headers.set("Allow", refusal.note ?? "") }
    return response
  }

  private func record(
    _ request: Request, _ id: String, _ progress: Progress, status: Int, since started: ContinuousClock.Instant
  ) -> RequestRecord {
    let method = if case .other = request.method { "other" } else { request.method.description }
    return RequestRecord(
      requestID: id, tenant: progress.tenant?.name.description, method: method, route: progress.route, status: status,
      code: progress.refusal?.code,
      violated: progress.tenant.map { $0.policy.countable(progress.refusal?.violations ?? []) } ?? [],
      warned: progress.warned,
      microseconds: Self.microseconds(since: started),
      // GUARD: canaries: the log of requests
      note: status >= 500 ? progress.refusal?.note : nil)
  }

  /// An answer that was given before, under this request's name.
  private func again(_ kept: KeptAnswers.Answer, _ id: String, since started: ContinuousClock.Instant) -> Response {
    var response = kept.response
    response.requestID = id
    note(
      RequestRecord(
        requestID: id, tenant: kept.tenant, method: "GET", route: kept.route, status: response.status, code: nil,
        violated: [], warned: [], microseconds: Self.microseconds(since: started), note: nil))
    return response
  }

  private static func microseconds(since started: ContinuousClock.Instant) -> Int {
    let elapsed = (ContinuousClock.now - started).components
    return Int(elapsed.seconds) * 1_000_000 + Int(elapsed.attoseconds / 1_000_000_000_000)
  }

  private func note(_ record: RequestRecord) {
    metrics.count(record, in: own.tally)
    log(record)
  }

  private func answer(
    _ request: Request, _ own: HostPlace?, _ id: String, _ languages: [String],
    _ progress: inout Progress
  ) async throws -> Response {
    // Paths are plain: nothing in them needs a percent sign, so nothing is decoded and nothing is read in two ways.
    let path = Array(request.path.utf8).split(separator: 0x2F, omittingEmptySubsequences: false).dropFirst()
    guard path.allSatisfy({ !$0.isEmpty && !$0.contains(0x25) }) else { throw Refusal(.notFound) }
    if path.elementsEqual([Array("openapi.json".utf8)[...]], by: { $0.elementsEqual($1) }) {
      progress.route = "/openapi.json"
      try allow([.get], request)
      return documents.openAPI(services.publicURL)
    }
    if let own, request.path.utf8.elementsEqual(TenantHost.proofPath.utf8) {
      progress.route = TenantHost.proofPath
      try allow([.get], request)
      return Response(status: 200, contentType: "text/plain", body: Array(own.proofs.joined(separator: "\n").utf8))
    }
    let (tenant, rest) = try place(path, own?.tenant, &progress)
    let target = target(rest, &progress)
    guard let tenant else { throw Refusal(.tenantNotFound) }
    progress.tenant = tenant
    // GUARD: tenant disabled
    guard tenant.enabled else { throw Refusal(.tenantDisabled) }
    let call = call(tenant, request, id, languages)
    try await limits.admit(call, services)
    switch target {
    case .page(let rest): return try await pages.answer(request, rest, call)
    case .landing(let place): return try await landing.answer(request, place, call)
    case .document(let document):
      try allow([.get], request)
      return try documents.answer(document, request, tenant, languages, at: call.now)
    case .operations(let here): return try await operation(request, here, call, &progress)
    case .nothing: throw Refusal(.notFound)
    }
  }

  /// The tenant, once, from the path or from its own host, and the path below it. On an own host no other tenant is there:
  /// what one shows must not stand at another's address.
  private func place(_ path: ArraySlice<ArraySlice<UInt8>>, _ own: TenantSnapshot?, _ progress: inout Progress) throws
    -> (TenantSnapshot?, [ArraySlice<UInt8>])
  {
    guard path.first?.elementsEqual("t".utf8) == true, path.count >= 2 else {
      guard let own else { throw Refusal(.notFound) }
      return (own, Array(path))
    }
    let name = String(decoding: path[path.startIndex + 1], as: UTF8.self)
    // GUARD: tenant: own host shows no other
    if let own, !own.name.description.utf8.elementsEqual(name.utf8) { throw Refusal(.notFound) }
    return (services.registry.snapshot(name), Array(path.dropFirst(2)))
  }

  /// Finds what the path names and notes its template, before anything can be refused.
  private func target(_ path: [ArraySlice<UInt8>], _ progress: inout Progress) -> Target {
    if path.first?.elementsEqual("ui".utf8) == true {
      progress.route = "/ui/\(Pages.template(path.dropFirst().first))"
      progress.isPage = true
      return .page(Array(path.dropFirst()))
    }
    if let document = documents.find(path) {
      progress.route = document.route
      progress.isDocument = true
      return .document(document)
    }
    if let landing = ProviderLanding.find(path) {
      progress.route = landing.route
      (progress.isPage, progress.isLanding) = (true, true)
      return .landing(landing)
    }
    let here = Routes.ofLength(path.count).compactMap { route in
      route.match(path).map { (route: route, parameters: $0) }
    }
    // A literal segment wins over a parameter: `/v1/me/sessions/current/…` is no session called "current".
    guard let first = here.first else { return .nothing }
    progress.route = first.route.path
    progress.bindsBrowser = here.contains { $0.route.bindsBrowser }
    return .operations(here)
  }

  private func operation(
    _ request: Request, _ here: [(route: Route, parameters: [(String, String)])], _ call: Call,
    _ progress: inout Progress
  ) async throws -> Response {
    let methods = here.map(\.route.method)
    if request.method == .options { return preflight(request, call.tenant, methods) }
    guard let (route, parameters) = here.first(where: { $0.route.method.rawValue == request.method.asRouted }) else {
      throw Refusal(.methodNotAllowed, note: Self.list(methods))
    }
    progress.route = route.path
    progress.isEven = route.isEven
    let caller: Caller?
    do {
      caller = try callers.caller(request, route.auth, call.tenant, at: call.now)
    } catch let refusal as Refusal {
      if refusal.code == .unauthenticated, request.headers.contains("authorization") {
        await call.noteRefused(token: "access", services)
      }
      throw refusal
    }
    // GUARD: presence: a request with an access token
    if let caller { own.seen.note(call.tenant.id, caller.session, at: call.now) }
    let input = try Decoding.input(request, route, parameters: parameters)
    var identified = Call(
      tenant: call.tenant, requestID: call.requestID, address: call.address, languages: call.languages, now: call.now,
      userAgent: call.userAgent, caller: caller)
    let cookie = BrowserCookie(tenant: call.tenant.name, isSecure: isSecure)
    let browser = route.bindsBrowser ? cookie.token(request) : nil
    if let browser {
      guard BrowserCookie.isWelcome(request, call.tenant) else { throw Refusal(.forbidden) }
      identified = identified.from(browser: browser)
    }
    if route.takesRetryKey, let key = try IdempotencyGate.key(request) { identified = identified.retrying(under: key) }
    // GUARD: attest: before the feature
    identified = try await AttestGate.admit(route, parameters, request, identified, services)
    let answer = try await IdempotencyGate.run(route, request, identified, services) { call in
      try await route.run(input, call, services)
    }
    progress.warned = answer.warned
    guard let body = answer.body else { return Response(status: answer.status) }
    var response = Response.json(body, status: answer.status)
    if let browser { response.headers.add("Set-Cookie", cookie.setting(browser)) }
    if let revision = answer.replayedRevision {
      response.headers.set("Policy-Revision", String(revision))
      response.headers.set("Idempotency-Replayed", "true")
    }
    return response
  }

  private func call(_ tenant: TenantSnapshot, _ request: Request, _ id: String, _ languages: [String]) -> Call {
    Call(
      tenant: tenant, requestID: id, address: NetworkAddress(bytes: proxies.client(of: request).bytes),
      languages: languages, now: services.clock.now, userAgent: request.headers.single("user-agent"))
  }

  private func preflight(_ request: Request, _ tenant: TenantSnapshot, _ methods: [GatehouseWire.Method]) -> Response {
    var response = Response.noContent
    let list = Self.list(methods)
    response.headers.set("Allow", list)
    for field in CORS.preflight(request, tenant, methods: list) { response.headers.set(field.name, field.value) }
    return response
  }

  private func allow(_ methods: [GatehouseWire.Method], _ request: Request) throws {
    guard methods.contains(where: { $0.rawValue == request.method.asRouted }) else {
      throw Refusal(.methodNotAllowed, note: Self.list(methods))
    }
  }

  private static func list(_ methods: [GatehouseWire.Method]) -> String {
    var names = methods.map(\.rawValue)
    if names.contains("GET") { names.append("HEAD") }
    return (names + ["OPTIONS"]).joined(separator: ", ")
  }
}

extension GatehouseRuntime.Method {
  /// HEAD is routed as GET; the server leaves the body away.
  var asRouted: String { self == .head ? "GET" : description }
}

extension Policy {
  /// The rules of violations as they may be counted: names that only a caller made up share one word.
  func countable(_ violations: [Violation]) -> [String] {
    violations.map { violation in
      let isOfProfile = violation.pointer.hasPrefix("/profile/")
      let isKnown = !isOfProfile || profile.fields.contains { $0.pointer.utf8.elementsEqual(violation.pointer.utf8) }
      return isKnown ? violation.rule : "profile.unknown"
    }
  }
}
