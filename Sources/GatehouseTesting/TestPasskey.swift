package import GatehousePrimitives

/// An authenticator in software with one passkey, and the browser around it. Each answer is right unless a test changes
/// a part of it.
package final class TestPasskey: Sendable {
  package let id: [UInt8]
  package let userHandle: [UInt8]
  package let rpID: String
  package let pair: TestKeyPair

  package init(
    _ algorithm: PasskeyAlgorithm = .es256, rpID: String = "example.com", userHandle: [UInt8] = SecureRandom.bytes(32)
  ) throws {
    id = SecureRandom.bytes(32)
    pair = try TestKeyPair(algorithm)
    self.rpID = rpID
    self.userHandle = userHandle
  }

  /// Bits of the authenticator's data.
  package static let present: UInt8 = 0x01
  package static let verified: UInt8 = 0x04
  package static let eligible: UInt8 = 0x08
  package static let backedUp: UInt8 = 0x10
  package static let attested: UInt8 = 0x40
  package static let extended: UInt8 = 0x80

  /// The parts of an answer that a test can change.
  package struct Parts: Sendable {
    package var type: String
    package var challenge: [UInt8]
    package var origin = "https://example.com"
    /// Members behind those three, each with its comma.
    package var members = #","crossOrigin":false"#
    /// The whole text in place of what is made of the members above.
    package var clientData: String?
    package var rpID: String
    package var flags: UInt8
    package var signCount: UInt32 = 0
    package var model = [UInt8](repeating: 0, count: 16)
    package var credentialID: [UInt8]
    /// The id that the browser says.
    package var saidID: [UInt8]
    package var key: [UInt8] = []
    /// Bytes behind all that the flags announce.
    package var behind: [UInt8] = []
    package var format = "none"
    package var userHandle: [UInt8]?
    /// The length of the credential's id, as it is told.
    package var toldIDSize: Int?

    /// As a browser writes them.
    package var clientDataJSON: [UInt8] {
      let text =
        clientData
        ?? #"{"type":"\#(type)","challenge":"\#(Base64URL.encode(challenge))","origin":"\#(origin)"\#(members)}"#
      return Array(text.utf8)
    }

    var authenticatorData: [UInt8] {
      let fixed = SHA256.digest(rpID) + [flags] + withUnsafeBytes(of: signCount.bigEndian) { Array($0) }
      guard flags & TestPasskey.attested != 0 else { return fixed + behind }
      let size = toldIDSize ?? credentialID.count
      return fixed + model + [UInt8(size >> 8), UInt8(size & 255)] + credentialID + key + behind
    }

    /// The bytes that are signed.
    package var signed: [UInt8] { authenticatorData + SHA256.digest(clientDataJSON) }
  }

  private func parts(_ type: String, _ challenge: [UInt8], _ flags: UInt8) -> Parts {
    Parts(
      type: type, challenge: challenge, rpID: rpID, flags: flags, credentialID: id, saidID: id, userHandle: userHandle)
  }

  /// The answer to a registration. `statement` makes the attestation statement of the parts.
  package func registration(
    _ challenge: [UInt8], _ change: (inout Parts) -> Void = { _ in },
    statement: (Parts) throws -> [UInt8] = { _ in CBORText.map([]) }
  ) throws -> PasskeyRegistration.Answer {
    var parts = parts("webauthn.create", challenge, Self.present | Self.verified | Self.attested)
    parts.key = try pair.cose()
    change(&parts)
    let object = CBORText.map([
      ("fmt", CBORText.text(parts.format)), ("attStmt", try statement(parts)),
      ("authData", CBORText.bytes(parts.authenticatorData)),
    ])
    return PasskeyRegistration.Answer(
      id: parts.saidID, clientDataJSON: parts.clientDataJSON, attestationObject: object)
  }

  /// The answer to a sign-in.
  package func assertion(
    _ challenge: [UInt8], by signer: TestKeyPair? = nil, _ change: (inout Parts) -> Void = { _ in }
  ) throws -> PasskeyAssertion.Answer {
    var parts = parts("webauthn.get", challenge, Self.present | Self.verified)
    change(&parts)
    return PasskeyAssertion.Answer(
      id: parts.saidID, clientDataJSON: parts.clientDataJSON, authenticatorData: parts.authenticatorData,
      signature: try (signer ?? pair).sign(parts.signed), userHandle: parts.userHandle)
  }
}
