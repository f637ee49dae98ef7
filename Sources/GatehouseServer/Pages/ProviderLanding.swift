import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseRuntime
import GatehouseWire

/// Where providers send browsers back to: the only GETs with an effect. The state makes them safe: it is good once, for
/// the browser that holds the cookie, this tenant, this provider and this purpose.
struct ProviderLanding: Surface {
  let services: Services
  let isSecure: Bool

  enum Purpose: Sendable, CaseIterable {
    case signIn, link

    /// Below the tenant's path.
    var path: String {
      switch self {
      case .signIn: "/v1/sign-in/{provider}/callback"
      case .link: "/v1/links/{provider}/callback"
      }
    }
  }

  var entries: [Entry<Call>] {
    Purpose.allCases.flatMap { purpose in
      [
        Entry(.get, purpose.path, .hasEffect) { request, parameters, call in
          try await land(request, at: parameters["provider"] ?? "", for: purpose, call)
        },
        Entry(.post, purpose.path) { request, _, _ in try again(request) },
      ]
    }
  }

  /// A page that says so, where the tenant is known.
  func refuse(_ error: any Error, _ exchange: inout Exchange) -> Answer {
    exchange.refusedPage(by: error) { words, code, _ in words.landings.refusals(code) }
  }

  private func land(_ request: Request, at provider: String, for purpose: Purpose, _ call: Call) async throws -> Answer
  {
    let query = try? QueryReader.read(request.query, ProviderCallback.parameters, limits: Self.limits)
    guard let query, let callback = ProviderCallback(query) else { throw Refusal(.codeInvalid) }
    let cookie = BrowserCookie(tenant: call.tenant.name, isSecure: isSecure)
    guard let browser = cookie.presented(request) else { throw Refusal(.codeInvalid) }
    let device = Cookies(request)[PageCookie.device.name(call.tenant.name, isSecure: isSecure)]
    let call = call.from(browser: browser).on(device: device)
    var answer: Answer
    switch purpose {
    case .signIn:
      switch try await BrowserSignIn.land(
        callback, at: provider, pages: FlowKey(request, isSecure: isSecure).token, call, services)
      {
      case .app(let address): answer = .redirect(to: address)
      case .pages(let flow, let outcome): answer = try await enter(outcome, flow, request, call)
      }
    case .link:
      switch try await Links.land(callback, at: provider, call, services) {
      case .linked: answer = linked(call)
      case .pages(let flow, let refusal): answer = try await goOn(refusal, provider, flow, request, call)
      }
    }
    answer.headers.set("Referrer-Policy", "no-referrer")
    return answer
  }

  /// Back at the page that the browser left from.
  private func visit(_ request: Request, _ call: Call, _ flow: String) async throws -> Visit {
    try await Visit(
      request, at: PagePath.signIn, PathParameters(all: []), call, services, isSecure: isSecure, flow: flow,
      from: "../../../ui/")
  }

  private func enter(
    _ outcome: Result<PageSession, Refusal>, _ flow: String, _ request: Request, _ call: Call
  ) async throws -> Answer {
    var visit = try await visit(request, call, flow)
    // A user who is signed in left from `ReauthenticatePage`.
    let isAgain = visit.signedIn != nil && visit.flow.promptsAgain != true
    switch outcome {
    case .success(let session):
      try await visit.enter(session)
      // What an app asked for is still to be proven.
      if visit.flow.promptsAgain == true { return try visit.going(to: PagePath.reauthenticate) }
      if isAgain, let page = visit.flow.page { return try visit.going(to: page) }
      return try await visit.onward(session.next, isForm: false)
    case .failure(let refusal):
      if let challenge = refusal.challenge { return try visit.wait(for: challenge) }
      visit.tell(refusal)
      return try visit.going(to: isAgain ? PagePath.reauthenticate : PagePath.signIn)
    }
  }

  private func goOn(_ refusal: Refusal?, _ provider: String, _ flow: String, _ request: Request, _ call: Call)
    async throws -> Answer
  {
    var visit = try await visit(request, call, flow)
    guard let refusal else { return try await visit.onward(nil, isForm: false) }
    visit.tell(refusal)
    return try visit.going(to: PagePath.connect + "/" + provider)
  }

  private static let limits = FormParser.Limits(size: 16 * 1024, fields: 40)

  /// A provider that posts its answer (OAuth 2.0 Form Post Response Mode) comes from its own site, so that the browser
  /// leaves the cookie at home. The same as a GET brings it along.
  private func again(_ request: Request) throws -> Answer {
    guard request.isForm else { throw Refusal(.unsupportedMediaType) }
    let form = try? QueryReader.read(request.body, ProviderCallback.parameters, limits: Self.limits)
    guard let form, ProviderCallback(form) != nil else { throw Refusal(.codeInvalid) }
    let query = form.members.compactMap { member in
      member.value.string.map { "\(member.key)=\(QueryText.escaped($0))" }
    }
    var answer = Answer.redirect(to: "?" + query.joined(separator: "&"))
    answer.headers.set("Referrer-Policy", "no-referrer")
    return answer
  }

  private func linked(_ call: Call) -> Answer {
    let words = HostedWords.of(call.language)
    let (title, text) = words.landings.linked(call.policy.app.name)
    return PageFrame(call).answer(.done(title, text, of: call.policy.app, words))
  }
}
