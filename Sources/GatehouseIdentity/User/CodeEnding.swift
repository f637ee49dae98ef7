/// The events that make living codes void: the one table of them. A feature names the event, never the codes.
///
/// No weaker proof ends a stronger one (`CodeEndingTests`): a thief who knows the password does not end the owner's way
/// back by mail.
package enum CodeEnding: Sendable, CaseIterable {
  /// A new password by the one before, in a session.
  case passwordChanged
  /// A new password by a mail to the account's address.
  case passwordReset
  /// The account moved. The way back that is mailed to the address that is left takes the place of resets there.
  case emailChanged
  /// The account moved back, by a mail to an address that it had before.
  case emailChangeUndone
  /// A provider proved a person of the account's address, which was unproven.
  case accountReclaimed
  /// An account came of a sign-up that waited.
  case signUpCompleted

  /// The proof of its requester.
  package var proof: CodeProof {
    switch self {
    case .passwordChanged: .password
    case .signUpCompleted, .passwordReset, .emailChanged: .mailbox
    case .emailChangeUndone: .formerMailbox
    case .accountReclaimed: .provider
    }
  }

  /// The purposes that end: of the account, or (sign-ups) of the address. An undo ends later ways back besides
  /// (`CodeChange.voidUndos`), and no earlier one.
  package var ends: [CodePurpose] {
    switch self {
    case .passwordChanged: [.changeEmail]
    case .passwordReset: [.verifyEmail, .resetPassword, .setPassword, .changeEmail, .reauthenticate]
    case .emailChanged: [.verifyEmail, .resetPassword, .setPassword, .reauthenticate]
    case .emailChangeUndone: [.verifyEmail, .resetPassword, .setPassword, .changeEmail, .reauthenticate]
    case .accountReclaimed: CodePurpose.allCases
    case .signUpCompleted: [.completeSignUp]
    }
  }
}

/// The proof behind a code, or behind an event that ends one, from the weakest on.
package enum CodeProof: Int, Sendable, Comparable {
  /// An address that was typed: any client can cause it.
  case request
  /// The account's password, or a session with a fresh proof.
  case password
  /// A mail to the account's address, or an operator.
  case mailbox
  /// A mail to an address that the account left.
  case formerMailbox
  /// A provider that vouches for the address of an account whose address is unproven.
  case provider

  package static func < (one: CodeProof, other: CodeProof) -> Bool { one.rawValue < other.rawValue }
}

extension CodePurpose {
  /// The proof behind the use of such a code.
  package var proof: CodeProof {
    switch self {
    case .verifyEmail, .completeSignUp: .request
    case .changeEmail: .password
    case .resetPassword, .setPassword, .reauthenticate: .mailbox
    case .undoEmailChange: .formerMailbox
    }
  }

  /// How many of them live beside one another, for an account or (without one) an address: a newer one ends the oldest
  /// beyond that. Nil: all live. Of those that a stranger can request several do: a stranger's request ends no code
  /// that the owner reads at this moment.
  package func living(isAskedByAnyone: Bool) -> Int? {
    switch self {
    case .resetPassword, .completeSignUp: 3
    case .verifyEmail: isAskedByAnyone ? 3 : 1
    case .changeEmail, .setPassword, .reauthenticate: 1
    case .undoEmailChange: nil
    }
  }
}
