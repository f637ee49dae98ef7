/// The registration of a passkey (WebAuthn section 7.1). Pure: what was asked for is handed in.
package enum PasskeyRegistration {
  /// The challenge and the rules that an answer must meet.
  package struct Expectation: Sendable {
    package var challenge: [UInt8]
    /// Each byte for byte as clients send it.
    package var origins: [String]
    /// SHA-256 of the relying party's id.
    package var rpIDHash: [UInt8]
    package var isVerificationRequired: Bool
    /// Not where the browser was asked to make one without a question (`mediation: conditional`).
    package var isPresenceRequired = true
    package var algorithms: [PasskeyAlgorithm] = PasskeyAlgorithm.allCases
    /// The roots that must vouch for the authenticator; with nil no statement is read.
    package var attestation: AttestationDemand?

    package init(challenge: [UInt8], origins: [String], rpIDHash: [UInt8], isVerificationRequired: Bool) {
      self.challenge = challenge
      self.origins = origins
      self.rpIDHash = rpIDHash
      self.isVerificationRequired = isVerificationRequired
    }
  }

  /// The parts of an answer, as bytes.
  package struct Answer: Sendable {
    /// The credential's id, as the client says it (`rawId`).
    package var id: [UInt8]
    package var clientDataJSON: [UInt8]
    package var attestationObject: [UInt8]

    package init(id: [UInt8], clientDataJSON: [UInt8], attestationObject: [UInt8]) {
      self.id = id
      self.clientDataJSON = clientDataJSON
      self.attestationObject = attestationObject
    }
  }

  /// A passkey that may be stored. That its id is new is the store's to say.
  package struct Made: Sendable {
    package let id: [UInt8]
    package let key: PasskeyKey
    package let signCount: UInt32
    /// The model (AAGUID): 16 bytes. To be believed only where it is attested.
    package let model: [UInt8]
    package let isAttested: Bool
    package let isUserVerified: Bool
    /// Whether it may be synced, so that others than this authenticator have it.
    package let isBackupEligible: Bool
    package let isBackedUp: Bool
  }

  /// The passkey that an answer is about.
  package static func verify(_ answer: Answer, _ expected: Expectation) throws(PasskeyProblem) -> Made {
    try ClientData.check(
      answer.clientDataJSON, of: .create, challenge: expected.challenge, origins: expected.origins)
    let object = try AttestationObject(answer.attestationObject)
    let data = try PasskeyData(object.data)
    try data.check(
      rpIDHash: expected.rpIDHash, isPresenceRequired: expected.isPresenceRequired,
      isVerificationRequired: expected.isVerificationRequired)
    guard let made = data.made else { throw .badAuthenticatorData }
    // GUARD: passkey: the credential that was made is the one that is named
    guard answer.id == made.id else { throw .otherCredential }
    let key = try PasskeyKey(cose: made.key, among: expected.algorithms)
    if let demand = expected.attestation {
      // GUARD: passkey: the demanded attestation
      try demand.check(object, of: data, made, key, clientDataHash: SHA256.digest(answer.clientDataJSON))
    }
    return Made(
      id: made.id, key: key, signCount: data.fixed.counter, model: made.model,
      isAttested: expected.attestation != nil, isUserVerified: data.flags.contains(.userVerified),
      isBackupEligible: data.flags.contains(.backupEligible), isBackedUp: data.flags.contains(.backedUp))
  }
}

/// An attestation object (WebAuthn section 6.5).
struct AttestationObject: Sendable {
  let format: String
  let statement: CBORValue
  /// The authenticator's data, as they are signed.
  let data: [UInt8]

  init(_ bytes: [UInt8]) throws(PasskeyProblem) {
    // GUARD: passkey: attestation objects are bounded
    guard bytes.count <= PasskeyData.limits.size else { throw .tooLarge }
    guard let object = try? CBORParser.parse(bytes, limits: PasskeyData.limits),
      case .text(let format)? = object["fmt"], let statement = object["attStmt"], statement.members != nil,
      let data = object["authData"]?.bytes
    else { throw .badAttestationObject }
    self.format = format
    self.statement = statement
    self.data = data
  }
}
