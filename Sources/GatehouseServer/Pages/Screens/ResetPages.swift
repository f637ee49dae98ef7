import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// Asks for a mail with a code to choose a new password.
enum ForgotPage: HostedPage {
  static let path = PagePath.forgot
  static let audience = PageAudience.anyone
  static let isEven = true

  static func screen(_ visit: Visit) async throws -> Screen? {
    guard visit.policy.hasPassword else { throw Refusal(.notFound) }
    let words = visit.words
    return Screen(
      words.reset.forgot,
      [
        Pieces.text(words.reset.lead),
        .form(
          Form(
            fields: [
              FormField(
                name: "email", label: words.forms.email, kind: .email,
                value: known(visit), autocomplete: "username")
            ], button: words.reset.send)),
        Pieces.links([(words.signIn.button, visit.address(PagePath.signIn))]),
      ])
  }

  static func send(_ typed: Typed, _ visit: inout Visit) async throws -> Step {
    try await request(typed["email"], &visit)
    // A signed-in person has an account: nothing is left open.
    return .page(visit.signedIn == nil ? PagePath.checkMail : PagePath.reset)
  }

  /// Asks for the mail, and keeps the id that its code needs. Before another mail may be sent none is: the code of the
  /// one before stays the one to be typed.
  static func request(_ email: String, _ visit: inout Visit) async throws {
    let sent = try await PasswordReset.request(
      .init(email: email, device: visit.device), visit.call, visit.services)
    let now = visit.call.now.wholeSeconds
    let isSame = visit.flow.reset != nil && visit.flow.email?.lowercased() == TypedText.trimmed(email).lowercased()
    let isRepeated = isSame && now < visit.flow.resendAt ?? 0
    visit.remember(email: email)
    visit.flow.signUp = nil
    guard !isRepeated else { return }
    visit.flow.reset = sent.resetID.flatMap(UUID.init(text:))
    visit.flow.resendAt = now + Int64(sent.resendAfter)
  }

  private static func known(_ visit: Visit) -> String { visit.signedIn?.user.email ?? visit.flow.email ?? "" }
}

/// Sets a new password with the mailed code.
enum ResetPage: HostedPage {
  static let path = PagePath.reset
  static let audience = PageAudience.anyone
  static let isEven = true

  static func screen(_ visit: Visit) async throws -> Screen? {
    guard visit.policy.hasPassword else { throw Refusal(.notFound) }
    let words = visit.words
    guard let email = visit.flow.email, visit.flow.reset != nil else {
      return try await ForgotPage.screen(visit)
    }
    return Screen(
      words.reset.heading,
      [
        Pieces.text(lead(email, visit)),
        .form(
          Form(
            fields: [Pieces.codeField(visit)] + visit.passwordFields.new(label: words.password.new),
            button: words.reset.save)),
        Pieces.links([(words.checkMail.again, visit.address(PagePath.forgot))]),
      ])
  }

  /// A signed-in person has an account: nothing is left open.
  private static func lead(_ email: String, _ visit: Visit) -> String {
    let words = visit.words
    guard visit.signedIn?.user.email == email else { return words.checkMail.perhaps(email) }
    return words.checkMail.sent(email, words.duration(Int(visit.policy.verification.email.codeTTL)))
  }

  static func send(_ typed: Typed, _ visit: inout Visit) async throws -> Step {
    guard let email = visit.flow.email, let id = visit.flow.reset else { return .page(PagePath.forgot) }
    if let problem = visit.passwordFields.difference(typed) { return .problems([problem]) }
    let input = ConfirmPasswordResetEndpoint.Input(
      email: email, code: typed["code"], resetID: id.text, password: typed["password"])
    _ = try await PasswordReset.confirm(input, visit.call, visit.services)
    visit.flow.reset = nil
    visit.flow.notice = .passwordSaved
    return .page(PagePath.signIn)
  }
}
