/// The events that make living codes void (`CodePurpose.Terms`). A feature names the event, never the codes.
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
    CodePurpose.allCases.filter { self == .accountReclaimed || $0.terms.endedBy.contains(self) }
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
