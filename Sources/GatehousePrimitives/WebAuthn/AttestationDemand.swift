/// The roots that must vouch for an authenticator, and the models that are allowed. Three formats are read: `packed`
/// with certificates, `fido-u2f` and `apple` (WebAuthn sections 8.2, 8.6 and 8.8).
package struct AttestationDemand: Sendable {
  private let roots: CertificateRoots
  private let models: [[UInt8]]?
  private let seconds: Int64

  /// - Parameters:
  ///   - models: The allowed ones (AAGUID, 16 bytes each); nil allows all that the roots vouch for.
  ///   - seconds: The time for which certificates must be valid, since 1970.
  package init(roots: CertificateRoots, models: [[UInt8]]?, at seconds: Int64) {
    self.roots = roots
    self.models = models
    self.seconds = seconds
  }

  /// The bytes that a statement signs, and those that certificates repeat.
  struct Subject {
    let data: PasskeyData
    let made: PasskeyData.Made
    let key: PasskeyKey
    /// The authenticator's data, then the hash of the client data.
    let signed: [UInt8]
    let clientDataHash: [UInt8]
  }

  /// Judges the statement of an attestation object.
  func check(
    _ object: AttestationObject, of data: PasskeyData, _ made: PasskeyData.Made, _ key: PasskeyKey,
    clientDataHash: [UInt8]
  ) throws(PasskeyProblem) {
    let subject = Subject(
      data: data, made: made, key: key, signed: object.data + clientDataHash, clientDataHash: clientDataHash)
    // A statement without certificates is the key's own: it vouches for nothing.
    guard ["packed", "fido-u2f", "apple"].contains(object.format), let items = object.statement["x5c"]?.items else {
      throw .attestationFormat
    }
    let chain = items.compactMap(\.bytes)
    guard chain.count == items.count, !chain.isEmpty else { throw .badAttestation }
    let certificate = try trusted(chain)
    switch object.format {
    case "packed": try Self.checkPacked(object.statement, certificate, subject)
    case "apple": try Self.checkApple(certificate, subject)
    default:
      guard chain.count == 1 else { throw .badAttestation }
      try Self.checkU2F(object.statement, certificate, subject)
    }
    // GUARD: passkey: a model that is allowed
    guard models?.contains(made.model) ?? true else { throw .modelNotAllowed }
  }

  private func trusted(_ chain: [[UInt8]]) throws(PasskeyProblem) -> Certificate {
    do throws(CertificateError) {
      return try roots.verify(chain, at: seconds)
    } catch {
      switch error {
      case .unreadable, .wrongKey: throw .badAttestation
      case .untrusted: throw .attestationUntrusted
      case .notValidNow: throw .attestationNotValidNow
      }
    }
  }
}
