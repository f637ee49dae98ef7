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

  static func codeRecord(_ visit: Visit) -> CodeRecord? { visit.flow.signUp == nil ? .account : .flow }

  /// The account or sign-up whose mail is awaited.
  private enum Waiting {
    case account(SignedIn, email: String)
    case signUp(UUID, email: String)

    var email: String {
      switch self {
      case .account(_, let email), .signUp(_, let email): email
      }
    }
  }

  private static let again = "again"

  private static func waiting(_ visit: Visit) -> Waiting? {
    if let email = visit.flow.email, let id = visit.flow.signUp { return .signUp(id, email: email) }
    guard let signedIn = visit.signedIn, signedIn.user.emailVerifiedAt == nil else { return nil }
    return signedIn.user.email.map { .account(signedIn, email: $0) }
  }

  static func screen(_ visit: Visit) async throws -> Screen? {
    guard let waiting = waiting(visit) else { return nil }
    let mailed: MailedCode? =
      switch waiting {
      case .account(let me, _):
        try await visit.reads.addressCode(me, visit.call)
      case .signUp: visit.mailed
      }
    return Screen(
      visit.words.checkMail.heading, of: .checkEmail,
      Pieces.code(mailed, .init(email: waiting.email, again: again), visit) + ways(waiting, visit))
  }

  private static func ways(_ waiting: Waiting, _ visit: Visit) -> [Screen.Piece] {
    let words = visit.words.checkMail
    guard case .account = waiting else {
      return [Pieces.links([(words.otherAddress, visit.address(PagePath.signUp))])]
    }
    return [
      .form(Form(button: words.verified, style: .secondary, intent: "verified")),
      // The address that was typed at the sign-up may be wrong.
      Pieces.links([(words.otherAddress, visit.address(PagePath.email))]),
      .form(Form(button: words.signOut, style: .plain, intent: "sign-out")),
    ]
  }

  static func send(_ typed: Typed, _ visit: inout Visit) async throws -> Step {
    guard let waiting = waiting(visit) else { return .onward() }
    switch (typed.intent, waiting) {
    case ("verified", .account(_, let email)): return try await verified(email, &visit)
    case (again, .account):
      _ = try await EmailVerification.send(.init(), visit.call, visit.services)
      visit.flow.notice = .mailSent
      return .page(path)
    case (again, .signUp(let id, let email)):
      switch try await HiddenSignUp.again(id, at: email, visit.call, visit.services) {
      case .paused(let seconds): throw Refusal(.cooldown, retryAfter: seconds)
      case .sent(let id): visit.flow.signUp = id
      }
      visit.awaitMail()
      visit.flow.notice = .mailSent
      return .page(path)
    case ("sign-out", .account):
      _ = try await SignOut.run(.init(), visit.call, visit.services)
      visit.leaveSession()
      return .page(PagePath.signIn)
    case (_, .account(_, let email)):
      let input = ConfirmEmailVerificationEndpoint.Input(email: email, code: typed["code"])
      _ = try await EmailVerification.confirm(input, visit.call, visit.services)
      return .onward()
    case (_, .signUp(let id, let email)):
      let session: PageSession = try await HiddenSignUp.open(
        id, code: typed["code"], at: email, on: visit.device, visit.call, visit.services)
      try await visit.enter(session)
      visit.flow.notice = .emailVerified
      return .onward(next: session.next)
    }
  }

  /// The address may have been verified in another tab, or on another device.
  private static func verified(_ email: String, _ visit: inout Visit) async throws -> Step {
    let next = try await visit.me().next
    guard next.contains("verify_email") else { return .onward(next: next) }
    return .problems([
      FormProblem(field: nil, message: visit.words.checkMail.early(DomainName.shown(inAddress: email)))
    ])
  }
}
