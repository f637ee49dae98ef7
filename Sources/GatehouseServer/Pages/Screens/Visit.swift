import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseRuntime
import GatehouseWire

/// One request at a page: who asks, in which flow, and what the browser is told to keep.
struct Visit: Sendable {
  let reads: PageReads
  private let server: Services?
  let request: Request
  let isSecure: Bool
  /// The page's path, below `/ui`.
  let path: String
  /// The relative path from here to `/ui/`.
  private let way: String
  let parameters: PathParameters
  private(set) var call: Call
  var flow: Flow
  private var key: FlowKey
  /// Whether the flow came with the request and was sealed for this browser.
  private let isKnownFlow: Bool
  /// Whether the flow came with the request and was sealed by this server, for any key that a form names.
  let isOurs: Bool
  /// Whether a form with the flow can be sent still.
  private let isFresh: Bool
  /// Whether the browser brought a session's cookie, and no session of it lives.
  private(set) var hasLostSession = false
  /// The value of the cookie of that session.
  private var lostSecret: String?
  /// The flow as text, as the links and forms of the page that is shown carry it.
  private(set) var carried = ""
  private(set) var signedIn: SignedIn?
  /// The value of the session's cookie.
  private(set) var secret: String?
  private var cookies: [SetCookie] = []

  /// - Parameters:
  ///   - flow: the text of the flow.
  ///   - mark: the name of the key for which a form says that its flow was sealed.
  ///   - way: the relative path from the request to `/ui/`, where the page's path does not say it.
  ///   - identifies: whether the session is looked up. Without that no one is signed in, and the database is not asked.
  init(
    _ request: Request, at path: String, _ parameters: PathParameters, _ call: Call, _ services: Services,
    isSecure: Bool, flow text: String?, mark: String? = nil, from way: String? = nil, identifies: Bool = true
  ) async throws {
    reads = .stored(services)
    server = services
    self.request = request
    self.isSecure = isSecure
    self.path = path
    self.way = way ?? String(repeating: "../", count: path.split(separator: "/").count - 1)
    self.parameters = parameters
    let key = FlowKey(request, isSecure: isSecure)
    self.key = key
    let own = text.flatMap { key.open($0, call) }
    // A form of a tab that was opened under another key goes on with its flow.
    let found = own ?? text.flatMap { text in mark.flatMap { FlowKey.open(text, marked: $0, call) } }
    isKnownFlow = own != nil
    isOurs = found != nil
    isFresh = own?.isFresh(at: call.now) == true
    flow = found ?? Flow(at: call.now)
    self.call = call.from(browser: key.token).atSharedComputer(flow.isShared == true)
    let secret = Cookies(request)[PageCookie.session.name(call.tenant.name, isSecure: isSecure)]
    if identifies {
      try await identify(by: secret)
      hasLostSession = secret != nil && signedIn == nil
      lostSecret = hasLostSession ? secret : nil
    } else {
      self.secret = secret
    }
    if let language = flow.language { self.call = self.call.reading([language] + call.languages) }
    // GUARD: flow: within its time
    if flow.isOver(at: call.now) { beginAgain() }
    // GUARD: flow: of the account that moves
    if flow.mover != signedIn?.user.id.uuid { flow.newEmail = nil }
    // GUARD: flow: a seed is shown to its owner
    if flow.enrolment?.user != signedIn?.user.id.uuid { flow.enrolment = nil }
    // GUARD: flow: a seed within its time
    if flow.enrolment?.isOver(at: call.now) == true { flow.enrolment = nil }
  }

  /// A visit without a server, for a preview.
  init(
    _ request: Request, at path: String, _ parameters: PathParameters, _ call: Call, _ reads: PageReads,
    signedIn: SignedIn?, flow: Flow
  ) throws {
    self.reads = reads
    server = nil
    self.request = request
    isSecure = true
    self.path = path
    way = String(repeating: "../", count: path.split(separator: "/").count - 1)
    self.parameters = parameters
    key = FlowKey(request, isSecure: true)
    isKnownFlow = true
    (isOurs, isFresh) = (true, true)
    self.flow = flow
    self.signedIn = signedIn
    self.call = call.identified(as: signedIn.map { Caller(user: $0.user.id, session: $0.session.id) })
    try carry()
  }

  /// The dependencies of forms. A preview has none, and refuses `not_found`.
  var services: Services {
    get throws {
      guard let server else { throw Refusal(.notFound) }
      return server
    }
  }

  /// The app that began has given up on the way: it has to begin another one. The person's choices are kept.
  private mutating func beginAgain() {
    var anew = Flow(at: call.now)
    anew.language = flow.language
    anew.email = flow.email
    if flow.target != nil { anew.trouble = Flow.kept(trouble: words.errors.over(app)) }
    flow = anew
  }

  /// Whether the browser brought a session's cookie.
  var hasCookieOfSession: Bool { secret != nil }

  /// The flow goes on in this language, where the app speaks it.
  mutating func speak(_ tag: String?) {
    guard let tag, let language = policy.app.locales.first(where: { $0.utf8.elementsEqual(tag.utf8) }) else { return }
    flow.language = language
    call = call.reading([language] + call.languages)
  }

  /// Whether the browser sends cookies of the pages back.
  var hasCookies: Bool { key.isThere || secret != nil }

  /// The flow in which this browser waits for a mail, as a page carries it; nil where there is none.
  var waiting: String? { key.waiting.flatMap { key.open($0, call) == nil ? nil : $0 } }

  var words: HostedWords { .of(call.language) }
  var policy: Policy { call.policy }
  var app: String { policy.app.name }
  /// The client that began: the tenant's own app, unless the flow is another one's.
  var client: Client { flow.target?.client(of: call.tenant) ?? call.tenant.app }
  var profileFields: ProfileFields { ProfileFields(policy: policy, words: words, now: call.now) }
  var passwordFields: PasswordFields { PasswordFields(policy: policy, words: words, now: call.now) }

  /// The device that the browser is known as.
  var device: Device? {
    Cookies(request)[PageCookie.device.name(call.tenant.name, isSecure: isSecure)].map { Device(name: nil, id: $0) }
  }

  /// The secret that forms for this browser are made for: its session's, where the page belongs to one.
  func maker(_ audience: PageAudience) -> FormGate.Maker {
    guard audience == .anyone else { return .session(secret.map(PageSessions.formToken)) }
    return .flow(key.formToken, isKnown: isKnownFlow, isFresh: isFresh)
  }

  /// Whether the form with this token was made for the session whose cookie the browser brought, and which lives no
  /// more under it.
  func isOfLostSession(_ token: String) -> Bool {
    guard isKnownFlow, isFresh, let lostSecret else { return false }
    let maker = FormGate.Maker.session(PageSessions.formToken(of: lostSecret))
    // GUARD: csrf: a form that comes again has the cookie that it was made for
    return FormGate.verdict(token, from: maker, .there, isOurs: isOurs) == .good
  }

  /// The hidden fields of its forms.
  func hidden(_ audience: PageAudience) -> Form.Hidden {
    let own = audience == .anyone ? nil : secret.map(PageSessions.formToken)
    return Form.Hidden(
      token: own ?? key.formToken, flow: carried, browser: key.mark, key: Base64URL.encode(SecureRandom.bytes(16)))
  }

  /// Whether the session that the form opens is that of a shared computer.
  mutating func shorten(_ isShared: Bool) { call = call.atSharedComputer(isShared) }

  /// Holds the claim under which the form that was sent has its one effect.
  mutating func hold(_ claim: IdempotencyClaim) { call = call.holding(claim) }

  private mutating func identify(by secret: String?) async throws {
    guard let secret, let found = try await PageSessions.find(secret, call, services) else { return }
    adopt(found, secret)
  }

  private mutating func adopt(_ found: SignedIn, _ secret: String) {
    self.secret = secret
    signedIn = found
    call = call.identified(as: Caller(user: found.user.id, session: found.session.id))
  }

  // MARK: Without a session

  /// The browser goes to the sign-in page, and back here after it. Where a session ended elsewhere, it is told so.
  mutating func goingToSignIn() throws -> Answer {
    if hasLostSession {
      leaveSession()
      flow.notice = .sessionExpired
    }
    if flow.target == nil || flow.draft != nil { flow.page = path }
    return try going(to: PagePath.signIn)
  }

  // MARK: Sessions

  /// The browser is signed in from now on. A former session of it ends.
  mutating func enter(_ session: PageSession) async throws {
    // A kept session that goes on under another id by now, or has ended, takes the place of none.
    if session.signedIn == nil, signedIn != nil {
      guard try await PageSessions.find(session.secret, call, services) != nil else { return }
    }
    let former = signedIn?.user.id
    // The answer to a form that was sent twice is the session that the browser has.
    if signedIn != nil, session.secret != secret { _ = try? await SignOut.run(.init(), call, services) }
    // GUARD: pages: at a shared computer the session ends with the browser
    let seconds = flow.isShared == true ? nil : Int(policy.sessions.pageMaxTTL)
    keep(session.secret, seconds)
    cookies.append(PageCookie.device.setting(session.device, age: 400 * 86_400, call.tenant.name, isSecure: isSecure))
    flow.signUp = nil
    flow.reset = nil
    flow.challenge = nil
    flow.byRecoveryCode = nil
    forgetMail()
    if let opened = session.signedIn {
      adopt(opened, session.secret)
    } else {
      try await identify(by: session.secret)
    }
    if signedIn?.user.id != former { flow.newEmail = nil }
    leaveFactors()
    // A shared computer is no place for one.
    flow.factorsFirst = factorDue == nil || flow.isShared == true ? nil : .due
    // The page of second factors offers a passkey as well.
    if flow.factorsFirst != nil { flow.passkeyOffer = nil }
    signalPasskeys()
    // GUARD: pages: a provider that let the browser pass is no fresh sign-in
    if signedIn?.isRecent(call) == true { flow.promptsAgain = nil }
  }

  /// The session goes on after more proofs joined it. Where they raised it, the browser gets its new credential, for as
  /// long as it would have kept the one before.
  mutating func goOn(in joined: JoinedSession) {
    goOn(in: SignedIn(session: joined.session, user: joined.user), by: joined.credential?.expose { $0 })
  }

  /// The same for a form that comes again, by the credential that was kept; nil where it was as before.
  mutating func goOn(byKept credential: String?) async throws {
    guard let credential else { return }
    guard let found = try await PageSessions.find(credential, call, services) else { return leaveSession() }
    goOn(in: found, by: credential)
  }

  private mutating func goOn(in found: SignedIn, by raised: String?) {
    guard let credential = raised ?? secret else { return }
    if raised != nil {
      // GUARD: pages: a raised session of a shared computer ends with the browser
      let isShared = flow.isShared == true || policy.sessions.isPerhapsShared(found.session)
      keep(credential, isShared ? nil : max(1, Int(found.session.expiresAt.timeIntervalSince(call.now))))
    }
    adopt(found, credential)
    flow.byRecoveryCode = nil
    if isRecent { flow.promptsAgain = nil }
  }

  /// Sets the cookie of the session. `seconds` is nil where it ends with the browser.
  private mutating func keep(_ secret: String, _ seconds: Int?) {
    cookies.append(PageCookie.session.setting(secret, age: seconds, call.tenant.name, isSecure: isSecure))
  }

  /// The next page tells the person's passkey manager what the account has now.
  mutating func signalPasskeys() { flow.signals = policy.passkeys != nil && call.isAtRelyingParty ? true : nil }

  /// Whether this browser was offered a passkey in the last month.
  var wasOfferedPasskey: Bool {
    Cookies(request)[PageCookie.offer.name(call.tenant.name, isSecure: isSecure)] != nil
  }

  /// The browser is offered no other passkey for a month.
  mutating func rememberOffer() {
    cookies.append(PageCookie.offer.setting("1", age: 30 * 86_400, call.tenant.name, isSecure: isSecure))
  }

  /// Nothing is done to second factors any more.
  mutating func leaveFactors() { (flow.enrolment, flow.factor) = (nil, nil) }

  /// The browser is signed out.
  mutating func leaveSession() {
    keep("", 0)
    flow.newEmail = nil
    leaveFactors()
    signedIn = nil
    secret = nil
    call = call.identified(as: nil)
  }

  /// The pages are in this language from now on, where the app has it.
  mutating func read(in language: String) {
    guard let known = AppRequest.language([language], policy) else { return }
    flow.language = known
    call = call.reading([known] + call.languages)
  }

  // MARK: Answers

  /// Takes what an app or a link asks for into the flow; the page is then opened without it. Nil where the address
  /// carries nothing but its flow.
  mutating func arrival() throws -> Answer? {
    guard let asked = try AppRequest(request.query) else { return nil }
    if asked.startsFlow { flow = Flow(at: call.now) }
    try asked.change(&flow, of: call.client, policy)
    return try going(to: asked.page ?? path)
  }

  /// Seals the flow for the next page. Messages that are shown once are not in it.
  mutating func carry() throws {
    var flow = flow
    flow.notice = nil
    flow.trouble = nil
    flow.signals = nil
    flow.seenAt = call.now.wholeSeconds
    carried = try key.seal(flow, call)
  }

  /// The address of another page, relative to this one, in this flow.
  func address(_ page: String) -> String { "\(relative(page))?f=\(carried)" }

  /// The same without the flow, for the action of a form.
  func relative(_ page: String) -> String { way + page }

  /// The browser goes on to another page, with what the flow holds now.
  mutating func going(to page: String) throws -> Answer {
    flow.seenAt = call.now.wholeSeconds
    carried = try key.seal(flow, call)
    // Only a way to an app is worth finding again: each other one ends at the account.
    if page == PagePath.checkMail || page == PagePath.reset { key.wait(for: flow.target == nil ? nil : carried) }
    return finish(.redirect(to: address(page)))
  }

  /// Where `Way` leads with these steps. No page does a step at a service that sends no browser back to the pages: the
  /// app has to.
  func stop(after next: [String]?) -> Way.Stop {
    Way.next(next?.filter { Connecting.isHere($0, self) }, ending: flow.ending)
  }

  /// The browser goes where `Way` leads. Only an answer to a form may make a code for an app.
  mutating func onward(_ next: [String]?, isForm: Bool) async throws -> Answer {
    switch stop(after: try await standing(next)) {
    // A page that has nothing to show leads to no page that leads back to it.
    case .page(let page): return try going(to: page == path ? PagePath.account : page)
    case .leave(let target):
      guard isForm, !target.asksUser else { return try going(to: PagePath.proceed) }
      return try await leave(to: target)
    }
  }

  private func standing(_ next: [String]?) async throws -> [String]? {
    guard signedIn != nil,
      // GUARD: pages: an app that asks for a fresh sign-in gets one
      flow.promptsAgain != true
    else { return nil }
    let missing: [String] = if let next { next } else { try await me().next }
    return missing + (looksAtFactors ? [Way.factors] : [])
      + (PasskeyOfferPage.isDue(self) ? [Way.passkey] : []) + (AdvicePage.isDue(self) ? [Way.advice] : [])
  }

  /// Back to the app, with a code.
  mutating func leave(to target: Flow.Target) async throws -> Answer {
    guard let signedIn, let client = target.client(of: call.tenant) else { return try going(to: PagePath.signIn) }
    let address = try await AuthorizationCode.leave(
      to: target.address, state: target.state, challenge: target.challenge, from: call.issuer, signedIn,
      call.of(client), services)
    return away(to: address)
  }

  /// Back to the app without one: its user changed their mind.
  mutating func giveUp(_ target: Flow.Target) throws -> Answer {
    away(to: AuthorizationCode.refusal(to: target.address, state: target.state, from: call.issuer))
  }

  private mutating func away(to address: String) -> Answer {
    key.wait(for: nil)
    return finish(.redirect(to: address))
  }

  /// The answer, with the cookies.
  func finish(_ answer: Answer) -> Answer {
    var answer = answer
    answer.cookies += cookies
    answer.cookies.append(key.cookie)
    if answer.redirect != nil { answer.headers.set("Referrer-Policy", "no-referrer") }
    return answer
  }
}
