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
  static let problemFields: [ErrorCode: String] = [
    .invalidCredentials: "password", .reauthenticationRequired: "password",
  ]

  private enum Intent {
    static let confirm = "confirm"
    static let again = "again"
    static let other = "other"
  }

  static func screen(_ typed: Typed, _ visit: Visit) async throws -> Screen? {
    guard let user = visit.signedIn?.user else { return nil }
    let words = visit.words
    let lead = user.email.map { [Pieces.text(words.email.lead($0))] } ?? []
    let pieces: [Screen.Piece]
    if let email = visit.flow.newEmail {
      pieces = code(typed, email, visit)
    } else if visit.isRecent || visit.hasPassword {
      pieces = lead + [.form(address(typed, user, visit))]
    } else {
      pieces = lead + ProofFirst.pieces(visit)
    }
    return Screen(words.email.heading, pieces + Pieces.wayBack(visit))
  }

  private static func address(_ typed: Typed, _ user: StoredUser, _ visit: Visit) -> Form {
    var fields = [
      FormField(
        name: "email", label: visit.words.email.new, kind: .email, value: typed["email"], autocomplete: "email")
    ]
    // A sign-in of just now is proof enough.
    if !visit.isRecent {
      var password = visit.passwordFields.current()
      password.value = typed["password"]
      fields += [.username(user.email), password]
    }
    return Form(fields: fields, button: visit.words.email.send, showsPasswords: typed.showsPasswords)
  }

  private static func code(_ typed: Typed, _ email: String, _ visit: Visit) -> [Screen.Piece] {
    Pieces.code(typed, to: email, intent: Intent.confirm, visit) + Pieces.resend(Intent.again, visit) + [
      .form(Form(button: visit.words.checkMail.otherAddress, style: .plain, intent: Intent.other))
    ]
  }

  static func send(_ typed: Typed, _ visit: inout Visit) async throws -> Step {
    switch typed.intent {
    case GiveUp.intent: return try GiveUp.step(&visit)
    case ProofFirst.intent: return ProofFirst.step(&visit)
    case Intent.confirm: return try await confirm(typed, &visit)
    case Intent.other:
      visit.flow.newEmail = nil
      return .page(PagePath.email)
    case Intent.again:
      guard let email = visit.flow.newEmail else { return .page(PagePath.email) }
      guard visit.isRecent else { return ProofFirst.step(&visit) }
      return try await request(email, password: nil, typed["key"], &visit)
    default:
      // Nothing typed is no attempt at the password.
      let password = visit.isRecent || typed["password"].isEmpty ? nil : typed["password"]
      return try await request(typed["email"], password: password, typed["key"], &visit)
    }
  }

  private static func request(
    _ email: String, password: String?, _ key: String, _ visit: inout Visit
  ) async throws -> Step {
    let input = RequestEmailChangeEndpoint.Input(email: email, password: password)
    let wait = try await SentOnce.run(
      key, "email", of: visit.call.caller, visit, again: { $0["resend_after"]?.integer }
    ) { [visit] call in
      Int64(try await Redo.once { try await EmailChange.request(input, call, visit.services) }.resendAfter)
    }
    visit.move(to: email)
    visit.flow.resendAt = visit.call.now.wholeSeconds + wait
    visit.flow.notice = .mailSent
    return .page(PagePath.email)
  }

  private static func confirm(_ typed: Typed, _ visit: inout Visit) async throws -> Step {
    guard let email = visit.flow.newEmail else { return .page(PagePath.email) }
    let input = ConfirmEmailChangeEndpoint.Input(email: email, code: typed["code"])
    _ = try await Redo.once { [visit] in try await EmailChange.confirm(input, visit.call, visit.services) }
    visit.flow.newEmail = nil
    visit.flow.resendAt = nil
    visit.flow.notice = .emailChanged
    return .onward()
  }
}
