import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// Waits for a mailed code: of an account whose address is unproven, of a sign-up that waits, or of a forgotten
/// password.
enum CheckMailPage: HostedPage {
  static let path = PagePath.checkMail
  // A sign-up that waits has no session.
  static let audience = PageAudience.anyone
  static let isEven = true

  static func accountRow(_ user: User, _ visit: Visit) -> String? {
    user.email != nil && !user.emailVerified ? visit.words.account.verify : nil
  }

  /// The account or sign-up whose mail is awaited.
  private enum Waiting {
    case account(email: String)
    case signUp(UUID, email: String)
    case reset(email: String)
  }

  private static func waiting(_ visit: Visit) async throws -> Waiting? {
    if let email = visit.flow.email, let id = visit.flow.signUp { return .signUp(id, email: email) }
    if let signedIn = visit.signedIn {
      return signedIn.user.emailVerifiedAt == nil ? signedIn.user.email.map { .account(email: $0) } : nil
    }
    return visit.flow.reset != nil ? visit.flow.email.map { .reset(email: $0) } : nil
  }

  static func screen(_ visit: Visit) async throws -> Screen? {
    guard let waiting = try await waiting(visit) else { return nil }
    let words = visit.words.checkMail
    switch waiting {
    case .account(let email), .signUp(_, let email):
      return Screen(
        words.heading, Pieces.code(to: email, visit) + ways(waiting, visit))
    case .reset(let email):
      return Screen(
        words.heading,
        [
          Pieces.text(words.perhaps(DomainName.shown(inAddress: email))),
          Pieces.button(words.haveCode, visit.address(PagePath.reset)),
          Pieces.links([(words.again, visit.address(PagePath.forgot))]),
        ])
    }
  }

  private static func ways(_ waiting: Waiting, _ visit: Visit) -> [Screen.Piece] {
    let words = visit.words.checkMail
    guard case .account = waiting else {
      return [Pieces.links([(words.otherAddress, visit.address(PagePath.signUp))])]
    }
    return [.form(Form(button: words.verified, style: .secondary, intent: "verified"))]
      + Pieces.resend("again", visit) + [
        // The address that was typed at the sign-up may be wrong.
        Pieces.links([(words.otherAddress, visit.address(PagePath.email))]),
        .form(Form(button: words.signOut, style: .plain, intent: "sign-out")),
      ]
  }

  static func send(_ typed: Typed, _ visit: inout Visit) async throws -> Step {
    guard let waiting = try await waiting(visit) else { return .onward() }
    switch (typed.intent, waiting) {
    case ("verified", _): return try await verified(&visit)
    case ("again", .account):
      let sent = try await EmailVerification.send(.init(), visit.call, visit.services)
      return visit.mailed(wait: Int64(sent.resendAfter), on: path)
    case ("sign-out", .account):
      _ = try await SignOut.run(.init(), visit.call, visit.services)
      visit.leaveSession()
      return .page(PagePath.signIn)
    case (_, .account(let email)):
      let input = ConfirmEmailVerificationEndpoint.Input(email: email, code: typed["code"])
      _ = try await EmailVerification.confirm(input, visit.call, visit.services)
      return .onward()
    case (_, .signUp(let id, let email)):
      let input = ConfirmEmailVerificationEndpoint.Input(email: email, code: typed["code"], signUpID: id.text)
      _ = try await EmailVerification.confirm(input, visit.call, visit.services)
      visit.flow.signUp = nil
      visit.flow.notice = .emailVerified
      return .page(PagePath.signIn)
    case (_, .reset): return .page(PagePath.reset)
    }
  }

  /// The address may have been verified in another tab, or on another device.
  private static func verified(_ visit: inout Visit) async throws -> Step {
    let next = try await Me.read(Nothing(), visit.call, visit.services).next
    guard next.contains("verify_email") else { return .onward(next: next) }
    return .problems([
      FormProblem(
        field: nil,
        message: visit.policy.request(for: "verify_email")?.text(in: [visit.words.language]) ?? "verify_email")
    ])
  }
}
