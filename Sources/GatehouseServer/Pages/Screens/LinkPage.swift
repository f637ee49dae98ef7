import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseRuntime
import GatehouseWire

/// The pages that mails link to. Their raw values are the last part of the path.
enum LinkPage: String, CaseIterable, Sendable {
  case verifyEmail = "verify-email"
  case resetPassword = "reset-password"
  case confirmEmail = "confirm-email"
  case undoEmail = "undo-email"

  /// The name by which a policy words the page.
  var name: Messages.Page {
    switch self {
    case .verifyEmail: .verifyEmailLink
    case .resetPassword: .resetPasswordLink
    case .confirmEmail: .confirmEmailLink
    case .undoEmail: .undoEmailLink
    }
  }

  /// The page that mails another one.
  var again: String {
    switch self {
    case .verifyEmail: PagePath.checkMail
    case .resetPassword, .undoEmail: PagePath.forgot
    case .confirmEmail: PagePath.email
    }
  }

  /// The token in a text that leads to this page; nil where there is none. Nothing else is sealed in a flow.
  func token(in text: String) -> String? {
    for purpose in CodePurpose.allCases where purpose.terms.page == rawValue {
      // GUARD: pages: a flow holds a token of ours
      let token = OpaqueToken.text(in: text, kind: purpose.terms.token)
      if let token { return token }
    }
    return nil
  }
}

/// A page behind a mailed link. Opening it changes nothing, for scanners open links too: the first GET moves the token
/// from the address bar into the flow, the next shows a button, and only the button's POST acts.
protocol LinkScreen: HostedPage {
  static var page: LinkPage { get }
}

extension LinkScreen {
  static var path: String { page.rawValue }
  static var audience: PageAudience { .anyone }
  static var hasScript: Bool { false }
  static var needsStore: Bool { true }

  static func arrive(_ visit: inout Visit) throws -> Answer? {
    // The page reads as the mail does.
    let language = visit.request.queryValues(["lang"])?["lang"]?.string
    if let language { visit.read(in: language) }
    guard let given = visit.request.queryValues(["token", "done"]) else {
      visit.flow.link = .isBroken
      return nil
    }
    if let text = given["token"]?.string {
      let token = page.token(in: text)
      (visit.flow.token, visit.flow.link) = (token, token == nil ? .isBroken : nil)
      // No token of the page, but perhaps a part of one: it leaves the address bar as a token does.
      let isPlain = !text.isEmpty && text.utf8.allSatisfy(QueryText.isUnreserved)
      return token != nil || isPlain ? try visit.going(to: path) : nil
    }
    if let done = given["done"]?.string {
      // What is done does nothing, and is the same for every reader.
      visit.flow.link = Flow.Link(rawValue: done) ?? .isBroken
      return nil
    }
    return language == nil ? nil : try visit.arrival()
  }

  static func screen(_ visit: Visit) async throws -> Screen? {
    if let state = visit.flow.link { return ending(state, visit) }
    guard let token = visit.flow.token else {
      let told = visit.words.links.noLink
      return Screen(told.title, [Pieces.text(told.text)] + waysOn(nil, visit))
    }
    do {
      return try await LinkForms(page, token, visit).screen
    } catch let refused as Refusal where isTold(refused.code) {
      return refusal(refused.code, visit)
    }
  }

  static func send(_ typed: Typed, _ visit: inout Visit) async throws -> Step {
    guard visit.flow.link == nil, let token = visit.flow.token else { return .page(path) }
    try visit.carry()
    do {
      let forms = try await LinkForms(page, token, visit)
      if let problem = forms.problem(typed) { return .problems([problem]) }
      do {
        try await forms.redeem(typed)
      } catch let refused as Refusal {
        guard let problems = forms.problems(of: refused, typed) else { throw refused }
        return .problems(problems)
      }
      return try done(forms.state, &visit)
    } catch let refused as Refusal where isTold(refused.code) && refused.code.status != 429 {
      return .screen(refusal(refused.code, visit))
    }
  }

  /// The end has an address of its own, so that it can be loaded again, in the language of the link.
  private static func done(_ state: Flow.Link, _ visit: inout Visit) throws -> Step {
    let language = visit.flow.language.map { "&lang=\($0)" } ?? ""
    return .finished(visit.finish(.redirect(to: "\(visit.relative(path))?done=\(state.rawValue)\(language)")))
  }

  /// Whether the page says it in its own words: neither that there is no such page nor a failure of the server.
  private static func isTold(_ code: ErrorCode) -> Bool { code.status < 500 && code != .notFound }

  private static func refusal(_ code: ErrorCode, _ visit: Visit) -> Screen {
    let told = visit.words.links.refusals(code)
    return Screen(
      told.title, trouble: code.status, (told.text.map { [Pieces.text($0)] } ?? []) + waysOn(code, visit))
  }

  private static func ending(_ state: Flow.Link, _ visit: Visit) -> Screen {
    if state == .isBroken { return refusal(.codeInvalid, visit) }
    let (words, app) = (visit.words.links, visit.policy.app)
    // The texts of what is done name no address.
    let texts = state == .madeAccount ? words.signUp("", app.name) : words.forms(page, "", app.name)
    guard visit.signedIn == nil else {
      return .done(
        texts.doneTitle, texts.done, way: [Pieces.button(visit.words.forms.proceed, signIn(visit))], of: app,
        visit.words)
    }
    // An address that was taken back needs a new password first.
    let isTakenBack = page == .undoEmail && visit.policy.hasPassword
    let ways: [Way?] = [
      isTakenBack ? (visit.words.reset.heading, visit.address(PagePath.forgot)) : nil, toApp(visit),
      (visit.words.signIn.button, signIn(visit)),
    ]
    return .done(texts.doneTitle, texts.done, way: pieces(ways), of: app, visit.words)
  }

  /// The sign-in page: of the flow in which this browser waits for a mail, or of a new one.
  private static func signIn(_ visit: Visit) -> String {
    visit.waiting.map { "\(visit.relative(PagePath.signIn))?f=\($0)" } ?? visit.address(PagePath.signIn)
  }

  private typealias Way = (text: String, address: String)

  /// The app, where it names a way to open it.
  private static func toApp(_ visit: Visit) -> Way? {
    visit.policy.app.openApp.map { (visit.words.endings.open(visit.policy.app.name), $0) }
  }

  /// The first way stands out, the others are links below it. A sign-in that is the only way is a link, too.
  private static func pieces(_ ways: [Way?]) -> [Screen.Piece] {
    let ways = ways.compactMap(\.self)
    guard let first = ways.first, ways.count > 1 else { return [Pieces.links(ways)] }
    return [Pieces.button(first.text, first.address), Pieces.links(Array(ways.dropFirst()))]
  }

  /// The ways on from a link that does nothing: another link, another address where that one is taken, the app, and in.
  /// A link that was used has done its work, so that the app comes first. Later alone, where there are too many
  /// requests.
  private static func waysOn(_ code: ErrorCode?, _ visit: Visit) -> [Screen.Piece] {
    guard code.map({ $0.status < 429 }) ?? true else { return [] }
    let isTaken = code == .accountExists || code == .conflict
    let another: Way? =
      isTaken && page != .confirmEmail
      ? nil
      : (isTaken ? visit.words.checkMail.otherAddress : visit.words.links.another, visit.address(page.again))
    let isIn = visit.signedIn != nil
    let onward: Way = (isIn ? visit.words.forms.proceed : visit.words.signIn.button, signIn(visit))
    return pieces(code == .codeUsed ? [toApp(visit), another, onward] : [another, toApp(visit), onward])
  }
}

enum VerifyEmailPage: LinkScreen { static let page = LinkPage.verifyEmail }
enum ResetPasswordPage: LinkScreen { static let page = LinkPage.resetPassword }
enum ConfirmEmailPage: LinkScreen { static let page = LinkPage.confirmEmail }
enum UndoEmailPage: LinkScreen { static let page = LinkPage.undoEmail }
