package import GatehousePrimitives

/// The purpose of a mailed link or code. A code for one purpose cannot be used for another.
package enum CodePurpose: String, Sendable, CaseIterable {
  case verifyEmail = "verify_email"
  case resetPassword = "reset_password"
  /// A link to a password that an operator, or the way back to an address, mailed. No request for a reset takes its
  /// place.
  case setPassword = "set_password"
  case changeEmail = "change_email"
  case undoEmailChange = "undo_email_change"
  /// The confirmation that completes a sign-up where the tenant hides which addresses exist.
  case completeSignUp = "complete_sign_up"
  /// A fresh proof in the session that asked, six digits alone: no token of it is ever sent.
  case reauthenticate

  /// The terms of all codes of a purpose.
  package struct Terms: Sendable {
    /// The kind of token its links carry.
    package let token: OpaqueToken.Kind
    /// The page its link opens.
    package let page: String
    /// The proof behind the use of such a code.
    package let proof: CodeProof
    /// How many of them live beside one another, for an account or (without one) an address: a newer one ends the
    /// oldest beyond that. Nil: all live.
    package let living: Int?
    /// The same where any client can request them. Several live then: a stranger's request ends no code that the owner
    /// reads at this moment.
    package let livingForAnyone: Int?
    /// Seconds that its message may wait to be sent. A link that lives longer gives its message as long.
    package let waits: Int64
    /// The events that make it void, besides `CodeEnding.accountReclaimed`, which ends all.
    package let endedBy: [CodeEnding]
  }
}

extension CodePurpose {
  /// The table of purposes.
  package var terms: Terms {
    switch self {
    case .verifyEmail:
      Terms(
        token: .emailVerification, page: "verify-email", proof: .request, living: 1, livingForAnyone: 3, waits: 86_400,
        endedBy: [.passwordReset, .emailChanged, .emailChangeUndone])
    case .resetPassword:
      Terms(
        token: .passwordReset, page: "reset-password", proof: .mailbox, living: 3, livingForAnyone: 3, waits: 86_400,
        endedBy: [.passwordReset, .emailChanged, .emailChangeUndone])
    case .setPassword:
      Terms(
        token: .passwordReset, page: "reset-password", proof: .mailbox, living: 1, livingForAnyone: 1, waits: 86_400,
        endedBy: [.passwordReset, .emailChanged, .emailChangeUndone])
    case .changeEmail:
      Terms(
        token: .emailChange, page: "confirm-email", proof: .password, living: 1, livingForAnyone: 1, waits: 86_400,
        endedBy: [.passwordChanged, .passwordReset, .emailChangeUndone])
    case .undoEmailChange:
      Terms(
        token: .emailChangeUndo, page: "undo-email", proof: .formerMailbox, living: nil, livingForAnyone: nil,
        waits: 86_400,
        endedBy: [])
    case .completeSignUp:
      Terms(
        token: .emailVerification, page: "verify-email", proof: .request, living: 3, livingForAnyone: 3, waits: 86_400,
        endedBy: [.signUpCompleted])
    case .reauthenticate:
      Terms(
        token: .emailVerification, page: "reauthenticate", proof: .mailbox, living: 1, livingForAnyone: 1, waits: 3600,
        endedBy: [.passwordReset, .emailChanged, .emailChangeUndone])
    }
  }
}
