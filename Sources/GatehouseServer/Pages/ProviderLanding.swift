import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseRuntime
import GatehouseWire

/// Where providers send browsers back to: the only GETs with an effect. What makes that safe is the state, which is good once, for the
/// browser that holds the cookie, this tenant, this provider and this purpose.
struct ProviderLanding: Sendable {
  let services: Services
  let isSecure: Bool

  enum Purpose: Sendable { case signIn, link }

  struct Target: Sendable {
    let provider: String
    let purpose: Purpose

    var route: String {
      switch purpose {
      case .signIn: "/v1/sign-in/{provider}/callback"
      case .link: "/v1/links/{provider}/callback"
      }
    }
  }

  static func find(_ path: [ArraySlice<UInt8>]) -> Target? {
    let parts = path.map { String(decoding: $0, as: UTF8.self) }
    guard parts.count == 4, parts[0] == "v1", parts[3] == "callback" else { return nil }
    switch parts[1] {
    case "sign-in": return Target(provider: parts[2], purpose: .signIn)
    case "links": return Target(provider: parts[2], purpose: .link)
    default: return nil
    }
  }

  func answer(_ request: Request, _ target: Target, _ call: Call) async throws -> Response {
    switch request.method {
    case .get: break
    case .post: return try again(request, target, call)
    default: throw Refusal(.methodNotAllowed, note: "GET, POST")
    }
    let query = try? FormParser.parse(Array((request.query ?? "").utf8), limits: Self.limits).object
    guard let query, let callback = ProviderCallback(query) else { throw Refusal(.codeInvalid) }
    let cookie = BrowserCookie(tenant: call.tenant.name, isSecure: isSecure)
    guard let browser = cookie.presented(request) else { throw Refusal(.codeInvalid) }
    let call = call.from(browser: browser)
    var response: Response
    switch target.purpose {
    case .signIn:
      response = .redirect(to: try await BrowserSignIn.land(callback, at: target.provider, call, services))
    case .link:
      try await LinkProvider.land(callback, at: target.provider, call, services)
      response = linked(call)
    }
    response.headers.set("Referrer-Policy", "no-referrer")
    return response
  }

  private static let limits = FormParser.Limits(size: 16 * 1024, fields: 40)

  /// A provider that posts its answer (OAuth 2.0 Form Post Response Mode) comes from its own site, so that the browser
  /// leaves the cookie at home. The same as a GET brings it along.
  private func again(_ request: Request, _ target: Target, _ call: Call) throws -> Response {
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
    var response = Response.redirect(to: "?" + query.joined(separator: "&"))
    response.headers.set("Referrer-Policy", "no-referrer")
    return response
  }

  private func linked(_ call: Call) -> Response {
    let frame = PageFrame(tenant: call.tenant, words: .of(call.language))
    let (title, text) = frame.words.linked(call.policy.app.name)
    return frame.response(title, LinkView.done(title, text, call.policy.app, frame.words))
  }
}
