import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// Moves the account to another address: it is mailed a code, which is typed on the same page.
enum EmailPage: HostedPage {
  static let path = PagePath.email
  static let audience = PageAudience.session
  static let isEven = true
  static let problemFields: [ErrorCode: String] = [.invalidCredentials: "password"]

  static func accountRow(_ user: User, _ visit: Visit) -> String? {
    visit.words.account.email
  }

  static func codeRecord(_ visit: Visit) -> CodeRecord? { .flow }

  private enum Intent {
    static let confirm = "confirm"
    static let again = "again"
    static let other = "other"
  }

  static func screen(_ visit: Visit) async throws -> Screen? {
    guard let user = visit.signedIn?.user else { return nil }
    let words = visit.words
    let lead = user.email.map { [Pieces.text(words.email.lead(DomainName.shown(inAddress: $0)))] } ?? []
    let pieces: [Screen.Piece]
    if let email = visit.flow.newEmail {
      pieces = code(email, visit)
    } else if visit.isRecent || visit.provesByPassword {
      pieces = lead + [.form(address(user, visit))]
    } else {
      pieces = lead + ProofFirst.pieces(visit)
    }
    return Screen(words.email.heading, of: .changeEmail, pieces + Pieces.wayBack(visit))
  }

  private static func address(_ user: StoredUser, _ visit: Visit) -> Form {
    var fields = [visit.newAddress(visit.words.email.new)]
    // A sign-in of just now is proof enough.
    if !visit.isRecent { fields += visit.passwordFields.current(of: user.email) }
    return Form(fields: fields, button: visit.words.email.send)
  }

  private static func code(_ email: String, _ visit: Visit) -> [Screen.Piece] {
    Pieces.code(visit.mailed, .init(email: email, intent: Intent.confirm, again: Intent.again), visit) + [
      .form(Form(button: visit.words.checkMail.otherAddress, style: .plain, intent: Intent.other))
    ]
  }

  static func send(_ typed: Typed, _ visit: inout Visit) async throws -> Step {
    switch typed.intent {
    case ProofFirst.intent: return ProofFirst.step(&visit)
    case Intent.confirm: return try await confirm(typed, &visit)
    case Intent.other:
      visit.flow.newEmail = nil
      visit.forgetMail()
      return .page(PagePath.email)
    default:
      guard let input = asked(typed, visit) else {
        let isAgain = typed.intent == Intent.again
        return isAgain && visit.flow.newEmail == nil ? .page(PagePath.email) : ProofFirst.step(&visit)
      }
      _ = try await EmailChange.request(input, visit.call, visit.services)
      return mailed(to: input.email, isAgain: typed.intent == Intent.again, &visit)
    }
  }

  static func isSentOnce(_ typed: Typed, _ visit: Visit) -> Bool { asked(typed, visit) != nil }

  static func repeated(_ kept: JSONObject, _ typed: Typed, _ visit: inout Visit) async throws -> Step? {
    guard let input = asked(typed, visit), kept["resend_after"]?.integer != nil else { return nil }
    return mailed(to: input.email, isAgain: typed.intent == Intent.again, &visit)
  }

  /// The mail that a form asks for; nil for a form that asks for none, or may not.
  private static func asked(_ typed: Typed, _ visit: Visit) -> RequestEmailChangeEndpoint.Input? {
    switch typed.intent {
    case nil:
      // Nothing typed is no attempt at the password.
      visit.isRecent || visit.provesByPassword
        ? .init(email: typed["email"], password: visit.isRecent || typed["password"].isEmpty ? nil : typed["password"])
        : nil
    case Intent.again?: visit.isRecent ? visit.flow.newEmail.map { .init(email: $0, password: nil) } : nil
    default: nil
    }
  }

  private static func mailed(to email: String, isAgain: Bool, _ visit: inout Visit) -> Step {
    visit.move(to: email)
    visit.awaitMail()
    if isAgain { visit.flow.notice = .mailSent }
    return .page(path)
  }

  private static func confirm(_ typed: Typed, _ visit: inout Visit) async throws -> Step {
    guard let email = visit.flow.newEmail else { return .page(PagePath.email) }
    let input = ConfirmEmailChangeEndpoint.Input(email: email, code: typed["code"])
    _ = try await EmailChange.confirm(input, visit.call, visit.services)
    visit.flow.newEmail = nil
    visit.forgetMail()
    visit.flow.notice = .emailChanged
    visit.signalPasskeys()
    return .onward()
  }
}
