extension AttestationDemand {
  /// The extension that repeats the model (section 8.2.1): an OCTET STRING of 16 bytes.
  private static let modelExtension = "1.3.6.1.4.1.45724.1.1.4"
  private static let modelHeader: [UInt8] = [0x04, 0x10]

  /// WebAuthn section 8.2, with certificates.
  static func checkPacked(
    _ statement: CBORValue, _ certificate: Certificate, _ subject: Subject
  ) throws(PasskeyProblem) {
    guard let algorithm = statement["alg"]?.integer.flatMap(PasskeyAlgorithm.init(rawValue:)),
      let signature = statement["sig"]?.bytes
    else { throw .badAttestation }
    guard let key = try? certificate.verifyingKey(), let key = try? PasskeyKey(spki: key.spki, algorithm: algorithm)
    else { throw .attestationProfile }
    // GUARD: passkey: the signature of a packed attestation
    guard key.verifies(signature, of: subject.signed) else { throw .attestationSignature }
    // GUARD: passkey: the profile of packed certificates
    guard isOfProfile(certificate) else { throw .attestationProfile }
    if let model = certificate.value(ofExtension: modelExtension) {
      // GUARD: passkey: the certificate's model
      guard model == modelHeader + subject.made.model else { throw .attestationModel }
    }
  }

  /// Section 8.2.1.
  private static func isOfProfile(_ certificate: Certificate) -> Bool {
    certificate.isLeaf && Certificate.SubjectPart.allCases.allSatisfy { certificate.subject($0) != nil }
      && certificate.subject(.unit) == "Authenticator Attestation"
  }

  /// WebAuthn section 8.6. The authenticator is older than models and names none.
  static func checkU2F(
    _ statement: CBORValue, _ certificate: Certificate, _ subject: Subject
  ) throws(PasskeyProblem) {
    guard let signature = statement["sig"]?.bytes, let point = subject.key.point else { throw .badAttestation }
    // GUARD: passkey: a U2F authenticator has no model
    guard subject.made.model.allSatisfy({ $0 == 0 }) else { throw .attestationModel }
    guard let key = try? certificate.verifyingKey(), key.kind == .p256 else { throw .attestationProfile }
    let signed = [0] + subject.data.fixed.partyHash + subject.clientDataHash + subject.made.id + point
    // GUARD: passkey: the signature of a U2F attestation
    guard key.verifies(signature, of: signed) else { throw .attestationSignature }
  }

  /// WebAuthn section 8.8: the certificate itself is about the key and the challenge.
  static func checkApple(_ certificate: Certificate, _ subject: Subject) throws(PasskeyProblem) {
    let nonce = AppAttest.nonceHeader + SHA256.digest(subject.signed)
    // GUARD: passkey: the nonce of an Apple attestation
    guard certificate.value(ofExtension: AppAttest.nonceExtension) == nonce else { throw .attestationNonce }
    // GUARD: passkey: the key of an Apple attestation
    guard (try? certificate.verifyingKey())?.spki == subject.key.spki else { throw .attestationKey }
  }
}
