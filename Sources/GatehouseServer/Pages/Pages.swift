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

  private func cookie(_ page: LinkPage, _ call: Call) -> LinkCookie {
    LinkCookie(tenant: call.tenant.name, page: page, isSecure: isSecure)
  }

  private func open(_ page: LinkPage, _ cookie: LinkCookie, _ request: Request, _ call: Call) async throws -> Answer {
    guard let query = LinkQuery(request.query, for: page) else { return refusal(.codeInvalid, call) }
    switch query {
    case .token(let token):
      var answer = Answer.redirect(to: page.rawValue)
      answer.cookies = [cookie.setting(token)]
      answer.headers.set("Referrer-Policy", "no-referrer")
      return answer
    case .unlike:
      // It leaves the address bar as a token does. Nothing is at the address that follows.
      var answer = Answer.redirect(to: page.rawValue + "?broken=1")
      answer.headers.set("Referrer-Policy", "no-referrer")
      return answer
    case .done(let done): return try await self.done(page, done, request, call)
    case .page: break
    }
    guard let token = cookie.value(request) else {
      let frame = PageFrame(call)
      let (title, text) = frame.words.noLink
      return frame.answer(title, frame.message(title, text))
    }
    do {
      let call = try await identified(request, call)
      let link = try await OpenLink.look(token, page: page.rawValue, call, services)
      return view(page, token, link, call).form()
    } catch let refused as Refusal where refused.code.status < 500 {
      return refusal(refused.code, call)
    }
  }

  private func act(_ page: LinkPage, _ cookie: LinkCookie, _ request: Request, _ call: Call) async throws -> Answer {
    guard request.headers.single("content-type")?.hasPrefix("application/x-www-form-urlencoded") == true else {
      throw Refusal(.unsupportedMediaType)
    }
    guard let form = try? FormParser.parse(request.body).object else { throw Refusal(.malformedRequest) }
    let typed = Typed(form.members.reduce(into: [:]) { $0[$1.key] = $1.value.string })
    guard PageGate.isFromHere(request, call), let token = cookie.value(request),
      ConstantTime.equal(Array(typed["csrf"].utf8), Array(LinkCookie.proof(token).utf8))
    else { throw Refusal(.forbidden) }
    do {
      let call = try await identified(request, call)
      let link = try await OpenLink.look(token, page: page.rawValue, call, services)
      return try await act(typed, view(page, token, link, call), call)
    } catch let refused as Refusal where refused.code.status < 500 {
      return refusal(refused.code, call)
    }
  }

  private func act(_ typed: Typed, _ view: LinkView, _ call: Call) async throws -> Answer {
    if typed.shows != nil { return view.form(typed) }
    let words = view.frame.words
    let form = LinkForm(page: view.page, token: view.token, asks: view.link.asks, typed: typed)
    if let problem = form.problem(words, view.passwordFields) { return view.form(typed, [problem]) }
    do {
      try await retryOnConflict { try await form.redeem(call, services) }
    } catch let refused as Refusal where refused.code == .invalidCredentials {
      return view.form(typed, [FormProblem(field: LinkView.password, message: words.wrongPassword)])
    } catch let refused as Refusal where refused.code == .validationFailed {
      return view.form(typed, form.problems(of: refused, in: words))
    }
    // The cookie stays: another tab with the same form then tells that the link was used.
    return .redirect(to: view.doneAddress)
  }

  /// The call, by the session that the browser has at the pages, where it has one.
  private func identified(_ request: Request, _ call: Call) async throws -> Call {
    guard let secret = Cookies(request)[PageCookie.session.name(call.tenant.name, isSecure: isSecure)],
      let found = try await PageSessions.find(secret, call, services)
    else { return call }
    return call.identified(as: Caller(user: found.user.id, session: found.session.id))
  }

  private func done(_ page: LinkPage, _ done: LinkQuery.Done, _ request: Request, _ call: Call) async throws -> Answer {
    let frame = PageFrame(call)
    let app = call.policy.app.name
    // The texts of what is done name no address.
    let texts = done == .account ? frame.words.signUp("", app) : frame.words.forms(page, "", app)
    let way = try await page == .verifyEmail ? wayOn(frame, request, call) : nil
    return frame.answer(texts.doneTitle, frame.done(texts.doneTitle, texts.done, way: way))
  }

  /// Back into the flow in which this browser waits for a verified address, or to the account; nil where no user is
  /// signed in.
  private func wayOn(_ frame: PageFrame, _ request: Request, _ call: Call) async throws -> HTML? {
    guard try await identified(request, call).caller != nil else { return nil }
    let key = FlowKey(request, isSecure: isSecure)
    let waiting = key.waiting.flatMap { key.open($0, call) == nil ? nil : "?f=\($0)" } ?? ""
    let proceed = HostedWords.of(frame.words.language).forms.proceed
    return "<a class=\"button\" href=\"\(PagePath.signIn)\(waiting)\">\(proceed)</a>"
  }

  private func view(_ page: LinkPage, _ token: String, _ link: OpenLink.Live, _ call: Call) -> LinkView {
    LinkView(page: page, token: token, link: link, frame: PageFrame(call), now: call.now)
  }
}
