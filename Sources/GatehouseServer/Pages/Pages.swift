import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseRuntime
import GatehouseWire

/// The pages behind the links of mails. Opening one changes nothing, for scanners open links too: the first GET moves
/// the token from the address bar into a cookie, the next shows a button, and only the button's POST acts.
struct Pages: Surface {
  let services: Services
  let isSecure: Bool

  private static let root = Array("ui".utf8)

  var entries: [Entry<Call>] {
    LinkPage.allCases.flatMap { page in
      [
        Entry(.get, "/ui/\(page.rawValue)") { request, _, call in
          try await open(page, cookie(page, call), request, call)
        },
        Entry(.post, "/ui/\(page.rawValue)") { request, _, call in
          try await act(page, cookie(page, call), request, call)
        },
      ]
    }
  }

  func claims(_ path: PathSegments) -> Bool { path.first?.elementsEqual(Self.root) == true }

  /// A page that says so, where the tenant is known.
  func refuse(_ error: any Error, _ exchange: inout Exchange) -> Answer {
    if exchange.record.route == RequestRecord.noRoute { exchange.record.route = "/ui/(none)" }
    return exchange.refusedPage(by: error) { $0.refusals($1) }
  }

  /// A refusal, on a page.
  private func refusal(_ code: ErrorCode, _ call: Call) -> Answer {
    PageFrame(call).refusal(code) { $0.refusals($1) }
  }

  private func cookie(_ page: LinkPage, _ call: Call) -> FlowCookie {
    FlowCookie(tenant: call.tenant.name, page: page, isSecure: isSecure)
  }

  private func open(_ page: LinkPage, _ cookie: FlowCookie, _ request: Request, _ call: Call) async throws -> Answer {
    if let query = request.query, !query.isEmpty, query != LinkView.showing {
      guard let object = try? FormParser.parse(Array(query.utf8)).object, object.members.count == 1,
        let token = object["token"]?.string, FlowCookie.mayHold(token)
      else { return refusal(.codeInvalid, call) }
      var answer = Answer.redirect(to: page.rawValue)
      answer.cookies = [cookie.setting(token)]
      answer.headers.set("Referrer-Policy", "no-referrer")
      return answer
    }
    guard let token = cookie.value(request) else {
      let frame = PageFrame(call)
      let (title, text) = frame.words.noLink
      return frame.answer(title, LinkView.message(title, text))
    }
    do {
      let link = try await OpenLink.look(token, page: page.rawValue, call, services)
      return view(page, token, link, request, call).form()
    } catch let refused as Refusal where refused.code.status < 500 {
      return end(refused.code, cookie, call)
    }
  }

  private func act(_ page: LinkPage, _ cookie: FlowCookie, _ request: Request, _ call: Call) async throws -> Answer {
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
      var answer = view.done()
      answer.cookies = [cookie.clearing]
      return answer
    } catch let refused as Refusal where refused.code.status < 500 {
      return end(refused.code, cookie, call)
    }
  }

  /// A refusal that no further try with this link can change.
  private func end(_ code: ErrorCode, _ cookie: FlowCookie, _ call: Call) -> Answer {
    var answer = refusal(code, call)
    if code.status != 429 { answer.cookies = [cookie.clearing] }
    return answer
  }

  /// Browsers say where a form comes from; what they say must be this very site.
  private func isFromHere(_ request: Request, _ call: Call) -> Bool {
    if let site = request.headers.single("sec-fetch-site"), site != "same-origin" { return false }
    guard let origin = request.headers.single("origin"), origin != "null" else { return true }
    // Links of older mails lead to where all tenants are.
    return [call.tenant.issuer, call.tenant.sharedIssuer].contains { ($0 + "/").hasPrefix(origin + "/") }
  }

  private func view(
    _ page: LinkPage, _ token: String, _ link: OpenLink.Live, _ request: Request, _ call: Call
  ) -> LinkView {
    LinkView(
      page: page, token: token, link: link, showsPassword: request.query == LinkView.showing, frame: PageFrame(call),
      now: call.now)
  }
}
