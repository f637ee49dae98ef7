import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseRuntime
import GatehouseWire

/// The hosted pages, for people whose app has no screens of its own: plain forms, each posted to its own address.
struct HostedPages: Surface {
  let services: Services
  let isSecure: Bool

  var entries: [Entry<Call>] {
    Self.fronts + pages
  }

  /// Addresses that people shorten by hand: the account, behind sign-in.
  private static let fronts = [("/ui", "ui/"), ("/ui/", "")].map { path, way in
    Entry<Call>(.get, path) { _, _, _ in .redirect(to: way + PagePath.account) }
  }

  private var pages: [Entry<Call>] {
    PageTable.all.flatMap { page in
      [
        Entry(.get, "/ui/\(page.path)") { request, parameters, call in
          try demandNoApp(page, call)
          return try await show(page, request, parameters, call)
        },
        Entry(.post, "/ui/\(page.path)", page.isEven ? .isEven : []) { request, parameters, call in
          try demandNoApp(page, call)
          return try await send(page, request, parameters, call)
        },
      ]
    }
  }

  /// A door that opens to attested apps alone is closed to browsers.
  private func demandNoApp(_ page: any HostedPage.Type, _ call: Call) throws {
    // GUARD: pages: closed where an attested app is demanded
    if let door = page.attests, call.policy.demandsAttestation(at: door) { throw Refusal(.attestRequired) }
  }

  /// A page that says why not.
  func refuse(_ error: any Error, _ exchange: inout Exchange) -> Answer {
    let id = exchange.id
    return exchange.refusedPage(by: error) { words, code in
      HostedWords.of(words.language).errors.page(code, reference: id)
    }
  }

  // MARK: Opening

  private func show(
    _ page: any HostedPage.Type, _ request: Request, _ parameters: PathParameters, _ call: Call
  ) async throws -> Answer {
    let asked = try AppRequest(request.query)
    var visit = try await Visit(
      request, at: path(page, parameters), parameters, call, services, isSecure: isSecure, flow: flowText(request))
    guard page.isThere(visit) else { throw Refusal(.notFound) }
    if let asked {
      if asked.startsFlow { visit.flow = Flow(at: call.now) }
      try asked.change(&visit.flow, of: call.tenant.app, call.policy)
      return try visit.going(to: asked.page ?? visit.path)
    }
    if let answer = try redirect(page, &visit) { return answer }
    // The way back to the account gives up what was asked for.
    if visit.flow.page == visit.path || visit.path == PagePath.account { visit.flow.page = nil }
    try visit.carry()
    guard let screen = try await page.screen(.nothing, visit) else {
      return try await visit.onward(nil, isForm: false)
    }
    return answer(screen, page, &visit)
  }

  private func flowText(_ request: Request) -> String? {
    request.query.flatMap { try? FormParser.parse(Array($0.utf8)).object }.flatMap { $0["f"]?.string }
  }

  private func path(_ page: any HostedPage.Type, _ parameters: PathParameters) -> String {
    String(PathTemplate("/" + page.path).path(with: parameters).dropFirst())
  }

  /// Where a person goes first who may not see the page yet.
  private func redirect(_ page: any HostedPage.Type, _ visit: inout Visit) throws -> Answer? {
    switch page.audience {
    case .anyone: return nil
    case .session, .freshSession:
      // GUARD: pages: of signed-in people
      guard let signedIn = visit.signedIn else {
        if visit.flow.target == nil { visit.flow.page = visit.path }
        return try visit.going(to: PagePath.signIn)
      }
      // GUARD: pages: behind a fresh proof
      guard page.audience == .freshSession, !signedIn.isRecent(at: visit.call.now) else { return nil }
      visit.flow.page = visit.path
      return try visit.going(to: PagePath.reauthenticate)
    }
  }

  // MARK: Sending

  private func send(
    _ page: any HostedPage.Type, _ request: Request, _ parameters: PathParameters, _ call: Call
  ) async throws -> Answer {
    guard request.headers.single("content-type")?.hasPrefix("application/x-www-form-urlencoded") == true else {
      throw Refusal(.unsupportedMediaType)
    }
    guard let form = try? FormParser.parse(request.body).object else { throw Refusal(.malformedRequest) }
    guard PageGate.isFromHere(request, call) else { throw Refusal(.forbidden) }
    let typed = Typed(form.members.reduce(into: [:]) { $0[$1.key] = $1.value.string })
    var visit = try await Visit(
      request, at: path(page, parameters), parameters, call, services, isSecure: isSecure, flow: typed["f"])
    guard page.isThere(visit) else { throw Refusal(.notFound) }
    if page.audience != .anyone, visit.signedIn == nil {
      if page.endsSession { return try visit.going(to: PagePath.signedOut) }
      if visit.flow.target == nil { visit.flow.page = visit.path }
      visit.flow.notice = .sessionExpired
      return try visit.going(to: PagePath.signIn)
    }
    switch PageGate.verdict(typed["csrf"], page.audience, visit) {
    case .forged: throw Refusal(.forbidden)
    case .noCookies: return try await again(page, typed, [visit.words.errors.cookies], .forbidden, &visit)
    case .old: return try await again(page, typed, [visit.words.errors.old], .forbidden, &visit)
    case .good: break
    }
    if let answer = try redirect(page, &visit) { return answer }
    if typed.shows != nil { return try await again(page, typed, [], nil, &visit) }
    do {
      let step = try await page.send(typed, &visit)
      return try await follow(step, page, typed, &visit)
    } catch {
      let refusal = Refusal(of: error)
      // What is no one's fault at the form is a page of its own, and is logged.
      guard refusal.code.status < 500 || refusal.code == .overloaded else { throw error }
      return try await again(page, typed, refusal, &visit)
    }
  }

  private func follow(_ step: Step, _ page: any HostedPage.Type, _ typed: Typed, _ visit: inout Visit) async throws
    -> Answer
  {
    switch step {
    case .onward(let next): try await visit.onward(next, isForm: true)
    case .page(let page): try visit.going(to: page)
    case .answer(let answer): visit.finish(answer)
    case .finished(let answer): answer
    case .away(let address, let name, let cookie): away(to: address, name, cookie, visit)
    case .problems(let problems): try await again(page, typed, problems, status: 422, &visit)
    }
  }

  /// A page that goes on by itself. A redirect in its place would be blocked: browsers hold `form-action` against it,
  /// and where a provider asks is not known before it was asked.
  private func away(to address: String, _ name: String, _ cookie: SetCookie, _ visit: Visit) -> Answer {
    let words = visit.words.signIn
    var answer = PageFrame(visit.call).answer(
      words.provider(name),
      """
      <h1>\(words.provider(name))</h1>
      <p><a class="button" href="\(address)">\(visit.words.forms.proceed)</a></p>
      """, refresh: address)
    answer.cookies = [cookie]
    return visit.finish(answer)
  }

  // MARK: The same page again

  private func again(
    _ page: any HostedPage.Type, _ typed: Typed, _ refusal: Refusal, _ visit: inout Visit
  ) async throws -> Answer {
    let problems = refusal.problems(visit.words, visit.call, at: page.problemFields)
    var answer = try await again(page, typed, problems, status: refusal.code.status, &visit)
    if let seconds = refusal.retryAfter { answer.headers.set("Retry-After", String(seconds)) }
    return answer
  }

  private func again(
    _ page: any HostedPage.Type, _ typed: Typed, _ sentences: [String], _ code: ErrorCode?, _ visit: inout Visit
  ) async throws -> Answer {
    try await again(
      page, typed, sentences.map { FormProblem(field: nil, message: $0) }, status: code?.status ?? 200, &visit)
  }

  private func again(
    _ page: any HostedPage.Type, _ typed: Typed, _ problems: [FormProblem], status: Int, _ visit: inout Visit
  ) async throws -> Answer {
    try visit.carry()
    guard let screen = try await page.screen(typed, visit) else { return try await visit.onward(nil, isForm: false) }
    let (marked, summary) = screen.marked(problems, in: typed)
    return answer(marked, page, &visit, summary, status: status).comingBack(with: marked)
  }

  // MARK: Rendering

  /// A heading in which no line ends within the app's name.
  private func unbroken(_ heading: String, _ app: String) -> String {
    heading.replacing(app, with: app.replacing(" ", with: "\u{A0}"))
  }

  private func answer(
    _ screen: Screen, _ page: any HostedPage.Type, _ visit: inout Visit, _ summary: [FormProblem] = [],
    status: Int = 200
  ) -> Answer {
    let words = visit.words
    let hidden = Form.Hidden(
      proof: visit.proof(page.audience) ?? visit.proof(.anyone) ?? "", flow: visit.carried,
      key: Base64URL.encode(SecureRandom.bytes(16)))
    let notice = visit.flow.notice.flatMap(words.notice) ?? screen.notice
    let summary = summary + (visit.flow.trouble.map { [FormProblem(field: nil, message: $0)] } ?? [])
    visit.flow.notice = nil
    visit.flow.trouble = nil
    let told: HTML = if let notice { "<p class=\"notice\" role=\"status\">\(notice)</p>" } else { "" }
    let content: HTML = """
      \(Pieces.summary(summary, words.forms))
      \(screen.isDone ? PageFrame.sign : "")
      <h1>\(unbroken(screen.heading, visit.app))</h1>
      \(told)
      \(screen.html(hidden, at: visit.relative(visit.path), words.forms))
      """
    let frame = PageFrame(visit.call)
    var answer = frame.answer(
      screen.heading, content, status: status, isTrouble: !summary.isEmpty, targets: visit.targets,
      languages: PageFrame.LanguageSwitch(
        path: visit.path.split(separator: "/").last.map(String.init) ?? "", flow: visit.carried),
      hasScript: true)
    answer.headers.set("Referrer-Policy", "same-origin")
    return visit.finish(answer)
  }
}
