import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// One page: what it shows, and what its forms do. A page builds the input of an operation from its form and runs the
/// same feature as the API, so that verdict, limits and audit log are the same.
protocol HostedPage: Sendable {
  /// Below `/ui`; `{name}` stands for one segment.
  static var path: String { get }
  static var audience: PageAudience { get }
  /// Whether the time of its answers must not reveal whether an address has an account.
  static var isEven: Bool { get }
  /// The door that may demand an attested app. No browser is one: the page is closed then.
  static var attests: Door? { get }
  /// Whether its form ends the session. A second one, of clumsy thumbs, meets its end.
  static var endsSession: Bool { get }
  /// The row of the account page that leads here; nil where none does.
  static func accountRow(_ user: User, _ visit: Visit) -> String?
  /// The fields that refusals without a pointer are about.
  static var problemFields: [ErrorCode: String] { get }

  /// Where else a refusal of its form leads, and what for; nil where nowhere. What was typed may go along in the flow.
  static func way(after code: ErrorCode, _ typed: Typed, _ visit: inout Visit) -> (text: String, page: String)?

  /// Whether its screen is made of what the database has.
  static var needsStore: Bool { get }

  /// Whether it tells of a session that has ended elsewhere.
  static var tellsLostSession: Bool { get }

  /// The record of the code that it waits for; nil where it waits for none.
  static func codeRecord(_ visit: Visit) -> CodeRecord?

  /// The second factors that it asks for, after a first proof.
  static var factors: [String] { get }

  /// Whether it has the script.
  static var hasScript: Bool { get }

  /// Whether the page exists, where its path has a parameter.
  static func isThere(_ visit: Visit) -> Bool
  /// Takes what the page's address brings into the flow, and opens the page without it. Nil where it stays as it is.
  static func arrive(_ visit: inout Visit) throws -> Answer?
  /// The screen, with what was typed. Nil where there is nothing to do here: the way goes on.
  static func screen(_ visit: Visit) async throws -> Screen?
  /// Does what one of its forms is for. A refusal is told on the same screen. It is done over where the account was
  /// changed by another request meanwhile.
  static func send(_ typed: Typed, _ visit: inout Visit) async throws -> Step
  /// Whether a form keeps its answer: sent twice, it has one effect.
  static func isSentOnce(_ typed: Typed, _ visit: Visit) -> Bool
  /// Whether a form may raise the session, which goes on under another id then. One that is sent twice may come the
  /// second time by a cookie that opens nothing more. It keeps its answer.
  static func raisesSession(_ typed: Typed) -> Bool
  /// The step after a form that comes again, by the answer that was kept; nil for an answer of another kind.
  static func repeated(_ kept: JSONObject, _ typed: Typed, _ visit: inout Visit) async throws -> Step?
}

extension HostedPage {
  static var isEven: Bool { false }
  static var attests: Door? { nil }
  static var endsSession: Bool { false }
  static func accountRow(_ user: User, _ visit: Visit) -> String? { nil }
  static func codeRecord(_ visit: Visit) -> CodeRecord? { nil }
  static var factors: [String] { [] }
  static var needsStore: Bool { audience != .anyone }
  static var tellsLostSession: Bool { false }
  static func way(after code: ErrorCode, _ typed: Typed, _ visit: inout Visit) -> (text: String, page: String)? {
    guard code == .tooManyAttempts, visit.policy.hasPassword else { return nil }
    return (visit.words.errors.reset, PagePath.forgot)
  }
  static var hasScript: Bool { true }
  static func isThere(_ visit: Visit) -> Bool { true }
  static func arrive(_ visit: inout Visit) throws -> Answer? { try visit.arrival() }
  static func isSentOnce(_ typed: Typed, _ visit: Visit) -> Bool { false }
  static func raisesSession(_ typed: Typed) -> Bool { false }
  static func repeated(_ kept: JSONObject, _ typed: Typed, _ visit: inout Visit) async throws -> Step? { nil }
  static var problemFields: [ErrorCode: String] { [:] }
  static func send(_ typed: Typed, _ visit: inout Visit) async throws -> Step { throw Refusal(.notFound) }
}

/// The place where the tries and the time of a code are known.
enum CodeRecord: Sendable {
  /// The mailed code itself, which belongs to the signed-in account.
  case account
  /// The flow: no page may tell whether there is a mailed code.
  case flow
  /// Nothing that a page may tell: the code is of a second factor, and was not mailed.
  case factor
}

/// The audience of a page.
enum PageAudience: Sendable {
  case anyone
  /// A signed-in person.
  case session
  /// A signed-in person whose last proof is not older than five minutes.
  case freshSession
}

/// The next step after a form.
enum Step: Sendable {
  /// Where `Way` leads; `next` is what is missing for full access, where the form found that out.
  case onward(next: [String]? = nil)
  /// A page, below `/ui`.
  case page(String)
  /// The same page, with problems that no operation was asked about.
  case problems([FormProblem])
  /// This screen in the place of the page's own.
  case screen(Screen)
  case answer(Answer)
  /// An answer that has its cookies.
  case finished(Answer)
  /// Another server, which comes back to the holder of the cookie.
  case away(to: String, name: String, cookie: SetCookie)
}

/// Every page, in the order of the documentation. A page that is not here does not exist.
enum PageTable {
  static let all: [any HostedPage.Type] = [
    SignInPage.self, SecondStepPage.self, SignUpPage.self, CheckMailPage.self, ForgotPage.self, ResetPage.self,
    CompletePage.self, ConnectPage.self, ReauthenticatePage.self, AccountPage.self, ProfilePage.self, PasswordPage.self,
    FactorsPage.self, EmailPage.self, DevicesPage.self, ConnectionsPage.self, DeletePage.self, ExportPage.self,
    ContinuePage.self, SignOutPage.self, SignedOutPage.self, PasskeyOfferPage.self, AdvicePage.self,
    VerifyEmailPage.self, ResetPasswordPage.self, ConfirmEmailPage.self, UndoEmailPage.self,
  ]

  /// The pages of what is missing for full access. The order of this table counts, and not that of the policy: an
  /// address is proven before anything hangs on it.
  static let steps: [NextStep] = [
    NextStep(isFor: { $0 == "verify_email" }, page: { _ in PagePath.checkMail }),
    NextStep(isFor: { $0 == "verify_mfa" }, page: { _ in PagePath.reauthenticate }),
    NextStep(isFor: { $0 == "enroll_mfa" }, page: { _ in PagePath.factors }),
    NextStep(isFor: { $0 == "change_password" }, page: { _ in PagePath.password }),
    NextStep(isFor: { $0 == "change_email" }, page: { _ in PagePath.email }),
    NextStep(isFor: { $0.hasPrefix("profile:") }, page: { _ in PagePath.complete }),
    NextStep(isFor: { $0.hasPrefix("link:") }, page: { PagePath.connect + "/" + $0.dropFirst(5) }),
    NextStep(isFor: { $0 == Way.factors }, page: { _ in PagePath.factors }),
    NextStep(isFor: { $0 == Way.passkey }, page: { _ in PagePath.passkey }),
    NextStep(isFor: { $0 == Way.advice }, page: { _ in PagePath.advice }),
  ]

  /// The page that asks for the first of these second factors for which there is one; nil where there is none.
  static func page(
    asking factors: [String], among pages: [any HostedPage.Type] = all
  ) -> (any HostedPage.Type)? {
    factors.lazy.compactMap { factor in pages.first { $0.factors.contains(factor) } }.first
  }
}

/// The page that a person goes to for one of the steps that are missing for full access.
struct NextStep: Sendable {
  let isFor: @Sendable (String) -> Bool
  let page: @Sendable (String) -> String
}
