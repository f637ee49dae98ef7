// The content of a link's page before its button is pressed. Opening it changes nothing: mail scanners open it too.

package import GatehousePolicy
import GatehouseWire

package enum OpenLink {
  /// A link whose time has not passed.
  package struct Live: Sendable, Equatable {
    /// The address that got the mail.
    package let address: String
    package let asks: Asks

    package init(address: String, asks: Asks) { (self.address, self.asks) = (address, asks) }
  }

  /// The inputs of the page beside the button.
  package enum Asks: Sendable, Equatable {
    case nothing
    /// The account's password.
    case password
    /// A new password; the first one of an account that an operator made.
    case newPassword(isFirst: Bool)
    /// The password of a sign-up, or another one for it; and what was typed at the sign-up, to be looked at.
    case signUp(typed: [String: FieldValue])
    /// A session of the account, which has no password. The browser has none: the app goes on.
    case session
  }

  /// The link with this token, for the page of this name (`CodePurpose.Terms`), as it is to the caller: a session of
  /// the account that is proof enough leaves nothing to ask for. Refuses `code_invalid`, `code_expired` or `code_used`,
  /// as pressing the button would.
  package static func look(_ token: String, page: String, _ call: Call, _ services: Services) async throws -> Live {
    let purposes = CodePurpose.allCases.filter { $0.terms.page == page }
    // GUARD: password door: page of a reset
    if purposes.contains(.resetPassword) { try call.policy.demandPassword() }
    let code = try await Redemption.find(token: token, for: purposes, call, services).code
    return Live(address: code.destination.value, asks: try await asks(code, call, services))
  }

  private static func asks(_ code: OneTimeCode, _ call: Call, _ services: Services) async throws -> Asks {
    guard let id = code.user else {
      guard let waiting = try HiddenSignUp.waiting(code, call) else { throw Refusal(.codeInvalid) }
      guard
        call.policy.hasPassword  // GUARD: password door: page of a sign-up that waits
      else {
        // A sign-up with a passkey goes on where it began.
        guard waiting.passkey != nil else { throw Refusal(.codeInvalid) }
        return .session
      }
      return .signUp(typed: waiting.profile)
    }
    let store = services.store.open(call.tenant.id)
    guard let user = try await store.user(id: id), user.disabledAt == nil || code.purpose == .undoEmailChange
    else { throw Refusal(.codeInvalid) }
    switch code.purpose {
    case .undoEmailChange: return .nothing
    case .reauthenticate: throw Refusal(.codeInvalid)
    case .resetPassword, .setPassword: return .newPassword(isFirst: user.passwordChangedAt == nil)
    case .changeEmail: return try await proof(of: user, by: .asking(code.session), call, services)
    case .verifyEmail, .completeSignUp:
      if call.policy.verification.email.confirm == .click { return .nothing }
      return try await proof(of: user, by: .any, call, services)
    }
  }

  /// The proof that the account is the reader's.
  private static func proof(
    of user: StoredUser, by accepted: Ownership.Accepted, _ call: Call, _ services: Services
  ) async throws -> Asks {
    if try await Ownership.shown(of: user, by: accepted, call, services) != nil { return .nothing }
    return user.signsInByPassword(call.policy) ? .password : .session
  }
}
