import GatehouseIdentity
import GatehouseRuntime
import GatehouseWire

/// The operations of `Routes`: caller, input and the gates before the feature, in this order.
struct APISurface: Surface {
  let services: Services
  let callers: CallerGate
  let seen: SeenSessions.Part
  let isSecure: Bool

  var isForScripts: Bool { true }

  var entries: [Entry<Call>] {
    Routes.all.map { route in
      Entry(route.method, route.path, route.traits) { request, parameters, call in
        try await answer(route, parameters, request, call)
      }
    }
  }

  private func answer(_ route: Route, _ parameters: PathParameters, _ request: Request, _ call: Call) async throws
    -> Answer
  {
    let caller = try await caller(request, route, call)
    // GUARD: presence: a request with an access token
    if let caller { seen.note(call.tenant.id, caller.session, at: call.now) }
    let input = try Decoding.input(request, route, parameters: parameters)
    var identified = call.identified(as: caller)
    let cookie = BrowserCookie(tenant: call.tenant.name, isSecure: isSecure)
    let browser = route.bindsBrowser ? cookie.token(request) : nil
    if let browser {
      guard BrowserCookie.isWelcome(request, call.tenant) else { throw Refusal(.forbidden) }
      identified = identified.from(browser: browser)
    }
    if route.takesRetryKey, let key = try IdempotencyGate.key(request) { identified = identified.retrying(under: key) }
    // GUARD: attest: before the feature
    identified = try await AttestGate.admit(route, parameters, request, identified, services)
    let outcome = try await IdempotencyGate.run(route, request, identified, services) { call in
      try await route.run(input, call, services)
    }
    guard let body = outcome.body else { return Answer(status: outcome.status) }
    var answer = Answer.json(body, status: outcome.status)
    answer.warned = outcome.warned
    if let browser { answer.cookies = [cookie.setting(browser)] }
    if let revision = outcome.replayedRevision {
      answer.headers.set("Policy-Revision", String(revision))
      answer.headers.set("Idempotency-Replayed", "true")
    }
    return answer
  }

  private func caller(_ request: Request, _ route: Route, _ call: Call) async throws -> Caller? {
    do {
      return try callers.caller(request, route.auth, call.tenant, at: call.now)
    } catch let refusal as Refusal {
      if refusal.code == .unauthenticated, request.headers.contains("authorization") {
        await call.noteRefused(token: "access", services)
      }
      throw refusal
    }
  }
}
