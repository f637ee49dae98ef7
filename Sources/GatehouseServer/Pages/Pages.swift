import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseRuntime
import GatehouseWire

/// The pages behind the links of mails. Opening one changes nothing, for scanners open links too: the first GET moves the
/// token from the address bar into a cookie, the next shows a button, and only the button's POST acts.
struct Pages: Sendable {
  let services: Services
  let isSecure: Bool

  /// The page's part of the route, for logs.
  static func template(_ segment: ArraySlice<UInt8>?) -> String {
    segment.flatMap { LinkPage(rawValue: String(decoding: $0, as: UTF8.self)) }?.rawValue ?? "(none)"
  }

  func answer(_ request: Request, _ path: [ArraySlice<UInt8>], _ call: Call) async throws -> Response {
    guard path.count == 1, let page = LinkPage(rawValue: String(decoding: path[0], as: UTF8.self)) else {
      throw Refusal(.notFound)
    }
    let cookie = FlowCookie(tenant: call.tenant.name, page: page, isSecure: isSecure)
    switch request.method {
    case .get, .head: return try await open(page, cookie, request, call)
    case .post: return try await act(page, cookie, request, call)
    default: throw Refusal(.methodNotAllowed, note: "GET, HEAD, POST")
    }
  }

  /// A refusal, for somebody who looks at a page.
  func refusal(_ code: ErrorCode, _ call: Call) -> Response {
    let frame = frame(call)
    let (title, text) = frame.words.refusals(code)
    return frame.response(title, LinkView.message(title, text), status: code.status, isTrouble: true)
  }

  /// A refusal, for somebody who comes back from a provider.
  func landingRefusal(_ code: ErrorCode, _ call: Call) -> Response {
    let frame = frame(call)
    let (title, text) = frame.words.landings(code)
    return frame.response(title, LinkView.message(title, text), status: code.status, isTrouble: true)
  }

  private func open(_ page: LinkPage, _ cookie: FlowCookie, _ request: Request, _ call: Call) async throws -> Response {
    if let query = request.query, !query.isEmpty, query != LinkView.showing {
      guard let object = try? FormParser.parse(Array(query.utf8)).object, object.members.count == 1,
        let token = object["token"]?.string, FlowCookie.mayHold(token)
      else { return refusal(.codeInvalid, call) }
      var response = Response.redirect(to: page.rawValue)
      response.headers.add("Set-Cookie", cookie.setting(token))
      response.headers.set("Referrer-Policy", "no-referrer")
      return response
    }
    guard let token = cookie.value(request) else {
      let frame = frame(call)
      let (title, text) = frame.words.noLink
      return frame.response(title, LinkView.message(title, text))
    }
    do {
      let link = try await OpenLink.look(token, page: page.rawValue, call, services)
      return view(page, token, link, request, call).form()
    } catch let refused as Refusal where refused.code.status < 500 {
      return end(refused.code, cookie, call)
    }
  }

  private func act(_ page: LinkPage, _ cookie: FlowCookie, _ request: Request, _ call: Call) async throws -> Response {
    guard request.headers.single("content-type")?.hasPrefix("application/x-www-form-urlencoded") == true else {
      throw Refusal(.unsupportedMediaType)
    }
    guard let form = try? FormParser.parse(request.body).object else { throw Refusal(.malformedRequest) }
    guard isFromHere(request, call), let token = cookie.value(request), let sent = form["csrf"]?.string,
      ConstantTime.equal(Array(sent.utf8), Array(FlowCookie.proof(token).utf8))
    else { throw Refusal(.forbidden) }
    do {
      let link = try await OpenLink.look(token, page: page.rawValue, call, services)
      let view = view(page, token, link, request, call)
      let typed = LinkForm(page: page, token: token, asks: link.asks, sent: form)
      if let problem = typed.problem(in: view.frame.words) { return view.form([problem]) }
      do {
        try await Redo.once { try await typed.redeem(call, services) }
      } catch let refused as Refusal where refused.code == .invalidCredentials {
        return view.form([.init(field: .password, message: view.frame.words.wrongPassword)])
      } catch let refused as Refusal where refused.code == .validationFailed {
        return view.form(typed.problems(of: refused, in: view.frame.words))
      }
      var response = view.done()
      response.headers.add("Set-Cookie", cookie.clearing)
      return response
    } catch let refused as Refusal where refused.code.status < 500 {
      return end(refused.code, cookie, call)
    }
  }

  /// A refusal that no further try with this link can change.
  private func end(_ code: ErrorCode, _ cookie: FlowCookie, _ call: Call) -> Response {
    var response = refusal(code, call)
    if code.status != 429 { response.headers.add("Set-Cookie", cookie.clearing) }
    return response
  }

  /// Browsers say where a form comes from; what they say must be this very site.
  private func isFromHere(_ request: Request, _ call: Call) -> Bool {
    if let site = request.headers.single("sec-fetch-site"), site != "same-origin" { return false }
    guard let origin = request.headers.single("origin"), origin != "null" else { return true }
    // Links of older mails lead to where all tenants are.
    return [call.tenant.issuer, call.tenant.sharedIssuer].contains { ($0 + "/").hasPrefix(origin + "/") }
  }

  private func frame(_ call: Call) -> PageFrame {
    PageFrame(tenant: call.tenant, words: .of(call.language))
  }

  private func view(
    _ page: LinkPage, _ token: String, _ link: OpenLink.Live, _ request: Request, _ call: Call
  ) -> LinkView {
    LinkView(
      page: page, token: token, link: link, showsPassword: request.query == LinkView.showing, frame: frame(call),
      now: call.now)
  }
}
