import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseRuntime
import GatehouseWire

/// Where providers send browsers back to: the only GETs with an effect. What makes that safe is the state, which is
/// good once, for the browser that holds the cookie, this tenant, this provider and this purpose.
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
    exchange.refusedPage(by: error) { $0.landings($1) }
  }

  private func land(_ request: Request, at provider: String, for purpose: Purpose, _ call: Call) async throws -> Answer
  {
    let query = try? FormParser.parse(Array((request.query ?? "").utf8), limits: Self.limits).object
    guard let query, let callback = ProviderCallback(query) else { throw Refusal(.codeInvalid) }
    let cookie = BrowserCookie(tenant: call.tenant.name, isSecure: isSecure)
    guard let browser = cookie.presented(request) else { throw Refusal(.codeInvalid) }
    let call = call.from(browser: browser)
    var answer: Answer
    switch purpose {
    case .signIn: answer = .redirect(to: try await BrowserSignIn.land(callback, at: provider, call, services))
    case .link:
      try await Links.land(callback, at: provider, call, services)
      answer = linked(call)
    }
    answer.headers.set("Referrer-Policy", "no-referrer")
    return answer
  }

  private static let limits = FormParser.Limits(size: 16 * 1024, fields: 40)

  /// A provider that posts its answer (OAuth 2.0 Form Post Response Mode) comes from its own site, so that the browser
  /// leaves the cookie at home. The same as a GET brings it along.
  private func again(_ request: Request) throws -> Answer {
    guard request.headers.single("content-type")?.hasPrefix("application/x-www-form-urlencoded") == true else {
      throw Refusal(.unsupportedMediaType)
    }
    guard request.query == nil, let form = try? FormParser.parse(request.body, limits: Self.limits).object,
      ProviderCallback(form) != nil
    else { throw Refusal(.codeInvalid) }
    let query = form.members.compactMap { member -> String? in
      guard ProviderCallback.parameters.contains(member.key), let value = member.value.string else { return nil }
      return "\(member.key)=\(QueryText.escaped(value))"
    }
    var answer = Answer.redirect(to: "?" + query.joined(separator: "&"))
    answer.headers.set("Referrer-Policy", "no-referrer")
    return answer
  }

  private func linked(_ call: Call) -> Answer {
    let frame = PageFrame(call)
    let (title, text) = frame.words.linked(call.policy.app.name)
    return frame.answer(title, LinkView.done(title, text, call.policy.app, frame.words))
  }
}
