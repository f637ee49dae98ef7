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

  /// Addresses that people shorten by hand, which lead to the account behind sign-in; and the one at which password
  /// managers look for the page of a new password (W3C, A Well-Known URL for Changing Passwords).
  private static let fronts = [
    ("/ui", "ui/" + PagePath.account), ("/ui/", PagePath.account),
    ("/.well-known/change-password", "../ui/" + PagePath.password),
  ].map { path, way in
    Entry<Call>(.get, path) { _, _, _ in .redirect(to: way) }
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

  private static let root = Array("ui".utf8)

  func claims(_ path: PathSegments) -> Bool { path.first?.elementsEqual(Self.root) == true }

  private func isPage(_ path: PathSegments) -> Bool {
    PageTable.all.contains { PathTemplate("/ui/" + $0.path).match(path, PathTemplate.plain) != nil }
  }

  /// A page that says why not.
  func refuse(_ error: any Error, _ exchange: inout Exchange) -> Answer {
    if let way = exchange.wayWithoutSlash(isPage) { return .redirect(to: way, status: 308) }
    if exchange.record.route == RequestRecord.noRoute { exchange.record.route = "/ui/(none)" }
    return exchange.refusedPage(by: error)
  }

  // MARK: Opening

  private func show(
    _ page: any HostedPage.Type, _ request: Request, _ parameters: PathParameters, _ call: Call
  ) async throws -> Answer {
    var visit = try await Visit(
      request, at: path(page, parameters), parameters, call, services, isSecure: isSecure,
      flow: request.queryValues(["f"])?["f"]?.string)
    guard page.isThere(visit) else { throw Refusal(.notFound) }
    if let answer = try page.arrive(&visit) { return answer }
    if let answer = try redirect(page, &visit) { return answer }
    // The way back to the account gives up what was asked for.
    if visit.flow.page == visit.path || visit.path == PagePath.account { visit.flow.page = nil }
    if visit.path == PagePath.account {
      visit.leaveFactors()
      visit.flow.factorsFirst = nil
    }
    if page.tellsLostSession, visit.hasLostSession, visit.flow.notice == nil {
      visit.leaveSession()
      visit.flow.notice = .sessionExpired
    }
    let draft = visit.takeDraft()
    try visit.carry()
    guard var screen = try await page.screen(visit) else {
      return try await visit.onward(nil, isForm: false)
    }
    if visit.flow.signals == true, !screen.makesPasskey { screen.signal = await PasskeyForms.signal(visit) }
    return answer(draft.map { screen.marked([], in: $0) } ?? screen, page, &visit)
  }

  private func shown(_ screen: Screen, _ page: any HostedPage.Type, _ visit: inout Visit) throws -> Answer {
    try visit.carry()
    return answer(screen, page, &visit)
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
      guard let signedIn = visit.signedIn else { return try visit.goingToSignIn() }
      // GUARD: pages: behind a fresh proof
      guard page.audience == .freshSession, !signedIn.isRecent(visit.call) else { return nil }
      visit.flow.page = visit.path
      return try visit.going(to: PagePath.reauthenticate)
    }
  }

  // MARK: Sending

  private func send(
    _ page: any HostedPage.Type, _ request: Request, _ parameters: PathParameters, _ call: Call
  ) async throws -> Answer {
    guard request.isForm else { throw Refusal(.unsupportedMediaType) }
    guard let typed = request.form().map(Typed.init) else { throw Refusal(.malformedRequest) }
    guard call.tenant.origins.admit(request) else { throw Refusal(.forbidden) }
    do {
      return try await take(page, typed, request, parameters, call)
    } catch {
      let refusal = Refusal(of: error)
      guard refusal.isOfStore else { throw error }
      return try await keep(page, typed, refusal, request, parameters, call)
    }
  }

  /// Takes a form of this origin.
  private func take(
    _ page: any HostedPage.Type, _ typed: Typed, _ request: Request, _ parameters: PathParameters, _ call: Call
  ) async throws -> Answer {
    var visit = try await Visit(
      request, at: path(page, parameters), parameters, call, services, isSecure: isSecure, flow: typed["f"],
      mark: typed[Form.Hidden.browser])
    guard page.isThere(visit) else { throw Refusal(.notFound) }
    visit.speak(typed.language)
    if page.audience != .anyone, visit.signedIn == nil {
      if page.endsSession { return try visit.going(to: PagePath.signedOut) }
      if let step = try await raised(page, typed, &visit) { return try await follow(step, page, typed, &visit) }
      visit.keepDraft(typed)
      visit.flow.notice = .sessionExpired
      return try visit.goingToSignIn()
    }
    let cookies = cookies(typed, visit)
    let told: String?
    switch FormGate.verdict(typed["csrf"], from: visit.maker(page.audience), cookies, isOurs: visit.isOurs) {
    case .forged: throw Refusal(.forbidden)
    case .noCookies: told = visit.words.errors.cookies
    case .old: told = visit.words.errors.old(typed.hasPassword)
    case .renewed: told = visit.words.errors.renewed
    case .good: told = nil
    }
    if let told {
      return try await again(page, typed, telling: told, &visit, isWithoutCookies: cookies == .over)
    }
    if let answer = try redirect(page, &visit) { return answer }
    if typed.shows != nil || typed.language != nil { return try await again(page, typed, [], status: 200, &visit) }
    do {
      let step = try await patiently(page, typed, &visit)
      return try await follow(step, page, typed, &visit)
    } catch {
      var refusal = Refusal(of: error)
      if page.codeRecord(visit) == .flow { refusal = visit.counting(refusal, typed) }
      // What is no one's fault at the form is a page of its own, and is logged.
      guard !refusal.isOfStore, refusal.code.status < 500 || refusal.code.status == 503 else { throw error }
      if let challenge = refusal.challenge { return try visit.wait(for: challenge) }
      return try await again(page, typed, refusal, &visit)
    }
  }

  /// Performs a form. A short wait is served here, where the form holds nothing that others wait for.
  private func patiently(_ page: any HostedPage.Type, _ typed: Typed, _ visit: inout Visit) async throws -> Step {
    let arrived = visit
    do {
      return try await perform(page, typed, &visit)
    } catch let refusal as Refusal {
      guard refusal.code.status == 429, let seconds = refusal.retryAfter,
        await services.waits.serve(seconds, of: visit.call.tenant.id, by: Self.wait)
      else { throw refusal }
      visit = arrived
      return try await perform(page, typed, &visit)
    }
  }

  private static func wait(_ duration: Duration) async { await Loop.current?.wait(until: .now + duration) }

  /// The form as it was sent, while the database is away or too busy. The page is made without it, or where it cannot
  /// be, its form alone.
  private func keep(
    _ page: any HostedPage.Type, _ typed: Typed, _ refusal: Refusal, _ request: Request,
    _ parameters: PathParameters, _ call: Call
  ) async throws -> Answer {
    var visit = try await Visit(
      request, at: path(page, parameters), parameters, call, services, isSecure: isSecure, flow: typed["f"],
      mark: typed[Form.Hidden.browser], identifies: false)
    guard page.isThere(visit) else { throw refusal }
    // GUARD: pages: only a form of ours is shown again
    guard visit.isOurs else { throw refusal }
    try visit.carry()
    let sentence = refusal.code == .unknownOutcome ? visit.words.errors.unknown : visit.words.errors.away
    var form = visit.screen(resending: typed)
    if !page.needsStore, !visit.hasCookieOfSession, let own = try? await page.screen(visit), own.has(typed.intent) {
      form = own
    }
    var screen = form.marked([FormProblem(field: nil, message: sentence)], in: typed)
    screen.trouble = refusal.code.status
    var answer = answer(screen, page, &visit).comingBack(with: screen)
    if let seconds = refusal.retryAfter { answer.headers.set("Retry-After", String(seconds)) }
    return answer
  }

  /// A browser that keeps no cookies is told so at the second time: at the first they may have ended with time.
  private func cookies(_ typed: Typed, _ visit: Visit) -> FormGate.CookieState {
    if visit.hasCookies { return .there }
    let isFirst = typed[Form.Hidden.withoutCookies].isEmpty
    return isFirst && visit.request.headers.single("sec-fetch-site") == "same-origin" ? .over : .missing
  }

  /// Performs a form, once for its key where it keeps its answer.
  private func perform(_ page: any HostedPage.Type, _ typed: Typed, _ visit: inout Visit) async throws -> Step {
    guard page.isSentOnce(typed, visit), let key = SentOnce.key(typed) else {
      return try await attempt(page, typed, &visit)
    }
    switch try await SentOnce.begin(key, page, typed, visit) {
    case .again(let kept): return try await repeated(kept, page, typed, &visit)
    case .first(let claim):
      visit.hold(claim)
      return try await Idempotency.run(under: claim, visit.call, services) { _ in
        try await attempt(page, typed, &visit)
      }
    }
  }

  /// The step of a form that comes again after it raised the session, by the cookie of before: the browser gets the
  /// session that goes on. Nil for any other form.
  private func raised(_ page: any HostedPage.Type, _ typed: Typed, _ visit: inout Visit) async throws -> Step? {
    guard page.raisesSession(typed), visit.isOfLostSession(typed["csrf"]), let key = SentOnce.key(typed) else {
      return nil
    }
    switch try await SentOnce.begin(key, page, typed, visit) {
    case .again(let kept): return try await repeated(kept, page, typed, &visit)
    case .first(let claim):
      return try await Idempotency.run(under: claim, visit.call, services) { _ in Step?.none }
    }
  }

  private func repeated(
    _ kept: KeptAnswer, _ page: any HostedPage.Type, _ typed: Typed, _ visit: inout Visit
  ) async throws -> Step {
    guard let answer = try JSONParser.parse(Array(kept.body.utf8)).object,
      let step = try await page.repeated(answer, typed, &visit)
    else { throw Refusal(.conflict, note: "a kept answer of another kind") }
    return step
  }

  /// Does what a form is for. The visit is done over with the form.
  private func attempt(_ page: any HostedPage.Type, _ typed: Typed, _ visit: inout Visit) async throws -> Step {
    if typed.intent == GiveUp.intent { return try GiveUp.step(&visit) }
    let arrived = visit
    return try await retryOnConflict {
      visit = arrived
      return try await page.send(typed, &visit)
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
    case .screen(let screen): try shown(screen, page, &visit)
    }
  }

  /// A page that goes on by itself. A redirect in its place would be blocked: browsers hold `form-action` against it,
  /// and where a provider asks is not known before it was asked.
  private func away(to address: String, _ name: String, _ cookie: SetCookie, _ visit: Visit) -> Answer {
    let screen = Screen(visit.words.signIn.provider(name), [Pieces.button(visit.words.forms.proceed, address)])
    var answer = PageFrame(visit.call).answer(screen, .init(refresh: address))
    answer.cookies = [cookie]
    return visit.finish(answer)
  }

  // MARK: The same page again

  private func again(
    _ page: any HostedPage.Type, _ typed: Typed, _ refusal: Refusal, _ visit: inout Visit
  ) async throws -> Answer {
    var problems = refusal.problems(
      visit.words, visit.call, at: page.problemFields, of: page.codeRecord(visit))
    if let way = page.way(after: refusal.code, typed, &visit), !problems.isEmpty {
      try visit.carry()
      problems[0].way = FormProblem.Way(text: way.text, address: visit.address(way.page))
    }
    var answer = try await again(page, typed, problems, status: refusal.code.status, &visit)
    if let seconds = refusal.retryAfter { answer.headers.set("Retry-After", String(seconds)) }
    return answer
  }

  private func again(
    _ page: any HostedPage.Type, _ typed: Typed, telling sentence: String, _ visit: inout Visit,
    isWithoutCookies: Bool = false
  ) async throws -> Answer {
    try await again(
      page, typed, [FormProblem(field: nil, message: sentence)], status: 403, &visit,
      isWithoutCookies: isWithoutCookies)
  }

  private func again(
    _ page: any HostedPage.Type, _ typed: Typed, _ problems: [FormProblem], status: Int, _ visit: inout Visit,
    isWithoutCookies: Bool = false
  ) async throws -> Answer {
    try visit.carry()
    guard var screen = try await page.screen(visit)?.marked(problems, in: typed) else {
      return try await visit.onward(nil, isForm: false)
    }
    screen.trouble = status == 200 ? nil : status
    return answer(screen, page, &visit, isWithoutCookies: isWithoutCookies).comingBack(with: screen)
  }

  // MARK: Rendering

  private func answer(
    _ screen: Screen, _ page: any HostedPage.Type, _ visit: inout Visit, isWithoutCookies: Bool = false
  ) -> Answer {
    var screen = screen
    screen.summary += visit.flow.trouble.map { [FormProblem(field: nil, message: $0)] } ?? []
    screen.notice = visit.flow.notice.flatMap(visit.words.notice) ?? screen.notice
    visit.flow.notice = nil
    visit.flow.trouble = nil
    var hidden = visit.hidden(page.audience)
    hidden.isWithoutCookies = isWithoutCookies
    let setting = PageFrame.Setting(
      hidden: hidden, path: visit.relative(visit.path), targets: visit.targets,
      languages: screen.isShownOnce ? nil : "\(visit.path.split(separator: "/").last ?? "")?f=\(visit.carried)",
      hasScript: page.hasScript)
    return visit.finish(PageFrame(visit.call).answer(screen, setting))
  }
}

/// A form that is sent twice, by clumsy thumbs or a slow network, has one effect: the second one meets the first one's
/// answer. The form's key is what an `Idempotency-Key` is to the API.
enum SentOnce {
  /// The pauses after which a second one looks again for the answer of the first, which is under way.
  private static let pauses: [Duration] = [100, 200, 400, 800, 1600, 3200].map { .milliseconds($0) }

  /// The key of a form; nil for anything that no page has made.
  static func key(_ typed: Typed) -> String? {
    let key = typed["key"]
    return (16...64).contains(key.utf8.count) && key.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? key : nil
  }

  /// Begins a form of a page. A page of signed-in people has keys for each of them; the form of any other page makes
  /// the session that its sender has when it comes again, and so does one that raises the session.
  static func begin(
    _ key: String, _ page: any HostedPage.Type, _ typed: Typed, _ visit: Visit
  ) async throws -> Idempotency.Outcome {
    let isOfUser = page.audience != .anyone && !page.raisesSession(typed)
    let call = isOfUser ? visit.call : visit.call.identified(as: nil)
    func look() async throws -> Idempotency.Outcome {
      try await Idempotency.begin(
        key, operation: "form " + page.path, body: visit.request.body, call, visit.services)
    }
    for pause in pauses {
      do {
        return try await look()
      } catch let refusal as Refusal where refusal.code == .conflict {
        await Loop.current?.wait(until: .now + pause)
      }
    }
    return try await look()
  }
}
