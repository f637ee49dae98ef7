/// The app whose attestations are believed.
package struct AttestedApp: Sendable, Equatable {
  /// SHA-256 of the App ID: team, full stop, bundle.
  let identifierHash: [UInt8]
  /// The kind of authenticator in the environment: 16 bytes.
  let kind: [UInt8]

  /// `isProduction` is what the app's entitlement `com.apple.developer.devicecheck.appattest-environment` says.
  package init(team: String, bundle: String, isProduction: Bool) {
    identifierHash = SHA256.digest("\(team).\(bundle)")
    kind = isProduction ? Array("appattest".utf8) + [0, 0, 0, 0, 0, 0, 0] : Array("appattestdevelop".utf8)
  }
}

/// Why an attestation or an assertion is not believed: for a log, never for a client.
package enum AttestProblem: String, Error, Sendable {
  /// No CBOR, or not of the form that App Attest has.
  case malformed
  /// No root of ours vouches for the certificate.
  case untrusted = "untrusted_chain"
  /// A certificate is not valid at this time.
  case notValidNow = "certificate_not_valid_now"
  /// The attestation is about other data: another challenge.
  case otherNonce = "other_nonce"
  /// The key is not the one that is named.
  case otherKey = "other_key"
  /// Another app made it.
  case otherApp = "other_app"
  /// The key was used before it was attested.
  case usedKey = "used_key"
  /// It comes from the other environment.
  case otherEnvironment = "other_environment"
  /// The key did not sign it.
  case badSignature = "bad_signature"
}

/// Attestations and assertions of Apple's App Attest, as "Validating apps that connect to your server" in Apple's
/// documentation describes their verification. Pure: roots, time and what the data must be about are handed in.
package enum AppAttest {
  /// The greatest size of an object of this protocol, in bytes.
  package static let mostBytes = 32 * 1024
  /// The size of a key's name: SHA-256 of its point.
  package static let keyIDSize = 32

  /// The extension that holds the nonce.
  static let nonceExtension = "1.2.840.113635.100.8.2"
  /// SEQUENCE { [1] EXPLICIT OCTET STRING (32 bytes) }, up to the bytes themselves.
  static let nonceHeader: [UInt8] = [0x30, 0x24, 0xA1, 0x22, 0x04, 0x20]

  /// The key that an attestation vouches for: made by this app in this environment on a genuine device, never used, for
  /// this challenge.
  package static func attestedKey(
    _ attestation: [UInt8], keyID: [UInt8], clientDataHash: [UInt8], app: AttestedApp, roots: CertificateRoots,
    at seconds: Int64
  ) throws(AttestProblem) -> P256PublicKey {
    let (chain, data) = try parts(of: attestation)
    guard let fixed = AuthenticatorData(data), let credential = AuthenticatorData.credential(of: data) else {
      throw .malformed
    }
    let (certificate, key) = try certificate(chain, roots, seconds)
    // GUARD: attest: the nonce
    guard certificate.value(ofExtension: nonceExtension) == nonceHeader + SHA256.digest(data + clientDataHash) else {
      throw .otherNonce
    }
    // GUARD: attest: the key's name is that of the attested key
    guard SHA256.digest(key.point) == keyID else { throw .otherKey }
    // GUARD: attest: the app
    guard fixed.partyHash == app.identifierHash else { throw .otherApp }
    // GUARD: attest: a key that was never used
    guard fixed.counter == 0 else { throw .usedKey }
    // GUARD: attest: the environment
    guard credential.kind == app.kind else { throw .otherEnvironment }
    // GUARD: attest: the credential is the key
    guard credential.id == keyID else { throw .otherKey }
    return key
  }

  /// The counter of an assertion that this key signed in this app over this data. Whether the counter went up is the
  /// store's to say.
  package static func counter(
    of assertion: [UInt8], key: P256PublicKey, clientDataHash: [UInt8], app: AttestedApp
  ) throws(AttestProblem) -> UInt32 {
    guard assertion.count <= mostBytes, let object = try? CBORParser.parse(assertion),
      let signature = object["signature"]?.bytes, let data = object["authenticatorData"]?.bytes,
      let fixed = AuthenticatorData(data)
    else { throw .malformed }
    // The device signs the nonce as a message: its digest is taken once more.
    // GUARD: attest: an assertion's signature
    guard key.verifies(der: signature, of: SHA256.digest(data + clientDataHash)) else { throw .badSignature }
    // GUARD: attest: an assertion's app
    guard fixed.partyHash == app.identifierHash else { throw .otherApp }
    return fixed.counter
  }

  /// The certificates and the authenticator's data of an attestation.
  private static func parts(of attestation: [UInt8]) throws(AttestProblem) -> (chain: [[UInt8]], data: [UInt8]) {
    guard attestation.count <= mostBytes, let object = try? CBORParser.parse(attestation),
      object["fmt"]?.isText("apple-appattest") == true, let data = object["authData"]?.bytes,
      let certificates = object["attStmt"]?["x5c"]?.items
    else { throw .malformed }
    let chain = certificates.compactMap(\.bytes)
    guard chain.count == certificates.count else { throw .malformed }
    return (chain, data)
  }

  private static func certificate(
    _ chain: [[UInt8]], _ roots: CertificateRoots, _ seconds: Int64
  ) throws(AttestProblem) -> (Certificate, P256PublicKey) {
    do throws(CertificateError) {
      let certificate = try roots.verify(chain, at: seconds)
      return (certificate, try certificate.publicKey())
    } catch {
      switch error {
      case .unreadable, .wrongKey: throw .malformed
      case .untrusted: throw .untrusted
      case .notValidNow: throw .notValidNow
      }
    }
  }
}
