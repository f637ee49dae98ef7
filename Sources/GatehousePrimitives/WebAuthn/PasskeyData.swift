/// An authenticator's data as passkeys use them, whole: each byte belongs to a part that the flags announce.
struct PasskeyData: Sendable {
  /// A credential that was made just now.
  struct Made: Sendable {
    /// The model of the authenticator, as it says: 16 bytes (AAGUID).
    let model: [UInt8]
    let id: [UInt8]
    /// In the form of COSE.
    let key: CBORValue
  }

  /// Bounds of what is CBOR in an answer.
  static let limits = CBORParser.Limits(size: 16 * 1024, depth: 4)
  /// The length of a credential id (WebAuthn section 7.1).
  static let idSizes = 1...1023

  let fixed: AuthenticatorData
  /// Nil in an assertion.
  let made: Made?

  var flags: AuthenticatorData.Flags { fixed.flags }

  init(_ bytes: [UInt8]) throws(PasskeyProblem) {
    // GUARD: passkey: authenticator data are bounded
    guard bytes.count <= Self.limits.size else { throw .tooLarge }
    guard let fixed = AuthenticatorData(bytes) else { throw .badAuthenticatorData }
    self.fixed = fixed
    var end = AuthenticatorData.fixedSize
    if fixed.flags.contains(.attested) {
      guard let credential = AuthenticatorData.credential(of: bytes) else { throw .badAuthenticatorData }
      // GUARD: passkey: the length of a credential id
      guard Self.idSizes.contains(credential.id.count) else { throw .badCredentialID }
      let key = try Self.map(in: bytes, from: credential.end)
      made = Made(model: credential.kind, id: credential.id, key: key.value)
      end = key.end
    } else {
      made = nil
    }
    // Extensions are never asked for: what one says is not looked at, where it ends is.
    if fixed.flags.contains(.extended) { end = try Self.map(in: bytes, from: end).end }
    // GUARD: passkey: nothing behind the authenticator's data
    guard end == bytes.count else { throw .badAuthenticatorData }
  }

  private static func map(in bytes: [UInt8], from start: Int) throws(PasskeyProblem) -> (value: CBORValue, end: Int) {
    guard let found = try? CBORParser.first(of: bytes, from: start, limits: limits), found.value.members != nil else {
      throw .badAuthenticatorData
    }
    return found
  }

  /// The rules that both ceremonies have for the flags and the party.
  func check(rpIDHash: [UInt8], isPresenceRequired: Bool, isVerificationRequired: Bool) throws(PasskeyProblem) {
    // GUARD: passkey: the relying party
    guard fixed.partyHash == rpIDHash else { throw .otherParty }
    // GUARD: passkey: the user is present
    guard !isPresenceRequired || flags.contains(.userPresent) else { throw .userNotPresent }
    // GUARD: passkey: the user is verified
    guard !isVerificationRequired || flags.contains(.userVerified) else { throw .userNotVerified }
    // GUARD: passkey: backed up only where eligible
    guard !flags.contains(.backedUp) || flags.contains(.backupEligible) else { throw .backedUpUneligible }
  }
}
