/// The use of a passkey (WebAuthn section 7.2). Pure: what was asked for and what is stored is handed in.
package enum PasskeyAssertion {
  /// The stored part of a passkey.
  package struct Known: Sendable {
    package var id: [UInt8]
    package var key: PasskeyKey
    package var signCount: UInt32
    package var isBackupEligible: Bool
    /// The `user.id` that the passkey was made with.
    package var userHandle: [UInt8]

    package init(id: [UInt8], key: PasskeyKey, signCount: UInt32, isBackupEligible: Bool, userHandle: [UInt8]) {
      self.id = id
      self.key = key
      self.signCount = signCount
      self.isBackupEligible = isBackupEligible
      self.userHandle = userHandle
    }
  }

  /// The challenge and the rules that an answer must meet.
  package struct Expectation: Sendable {
    package var challenge: [UInt8]
    /// Each byte for byte as clients send it.
    package var origins: [String]
    /// SHA-256 of the relying party's id that is stored with the passkey.
    package var rpIDHash: [UInt8]
    package var isVerificationRequired: Bool
    /// Whether the passkey alone says who the person is: a sign-in, and not a second proof.
    package var isUserHandleRequired: Bool
    package var known: Known

    package init(
      challenge: [UInt8], origins: [String], rpIDHash: [UInt8], isVerificationRequired: Bool,
      isUserHandleRequired: Bool, known: Known
    ) {
      self.challenge = challenge
      self.origins = origins
      self.rpIDHash = rpIDHash
      self.isVerificationRequired = isVerificationRequired
      self.isUserHandleRequired = isUserHandleRequired
      self.known = known
    }
  }

  /// The parts of an answer, as bytes.
  package struct Answer: Sendable {
    package var id: [UInt8]
    package var clientDataJSON: [UInt8]
    package var authenticatorData: [UInt8]
    package var signature: [UInt8]
    package var userHandle: [UInt8]?

    package init(
      id: [UInt8], clientDataJSON: [UInt8], authenticatorData: [UInt8], signature: [UInt8], userHandle: [UInt8]?
    ) {
      self.id = id
      self.clientDataJSON = clientDataJSON
      self.authenticatorData = authenticatorData
      self.signature = signature
      self.userHandle = userHandle
    }
  }

  /// The news of a right answer, for the stored row and the audit.
  package struct Used: Sendable, Equatable {
    package let signCount: UInt32
    /// The counter did not rise, although the authenticator has one: perhaps a copy of it exists.
    package let hasCounterFallen: Bool
    package let isUserVerified: Bool
    package let isBackupEligible: Bool
    package let isBackedUp: Bool
    /// It was not eligible for backup when it was stored.
    package let becameBackupEligible: Bool
  }

  /// The news of an answer of the known passkey.
  package static func verify(_ answer: Answer, _ expected: Expectation) throws(PasskeyProblem) -> Used {
    let known = expected.known
    // GUARD: passkey: the credential that is known
    guard answer.id == known.id else { throw .otherCredential }
    // GUARD: passkey: the user who is known
    guard answer.userHandle.map({ $0 == known.userHandle }) ?? !expected.isUserHandleRequired else { throw .otherUser }
    try ClientData.check(answer.clientDataJSON, of: .get, challenge: expected.challenge, origins: expected.origins)
    let data = try PasskeyData(answer.authenticatorData)
    // GUARD: passkey: an assertion makes no credential
    guard data.made == nil else { throw .badAuthenticatorData }
    try data.check(
      rpIDHash: expected.rpIDHash, isPresenceRequired: true, isVerificationRequired: expected.isVerificationRequired)
    let isEligible = data.flags.contains(.backupEligible)
    // GUARD: passkey: once eligible for backup, always
    guard isEligible || !known.isBackupEligible else { throw .backupEligibilityLost }
    let signed = answer.authenticatorData + SHA256.digest(answer.clientDataJSON)
    // GUARD: passkey: the signature of an assertion
    guard known.key.verifies(answer.signature, of: signed) else { throw .badSignature }
    let count = data.fixed.counter
    return Used(
      signCount: count, hasCounterFallen: known.signCount > 0 && count <= known.signCount,
      isUserVerified: data.flags.contains(.userVerified), isBackupEligible: isEligible,
      isBackedUp: data.flags.contains(.backedUp), becameBackupEligible: isEligible && !known.isBackupEligible)
  }
}
