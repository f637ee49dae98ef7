package import Foundation
package import GatehousePrimitives

/// Apple's part in App Attest, under a root of the tests' own: a root, an intermediate, and certificates for keys of
/// devices.
package struct TestAttestationRoot: Sendable {
  /// The root as an operator's file holds it.
  package let pem: String
  private let issuer: Issuer
  private let intermediate: [UInt8]

  private struct Issuer: Sendable {
    let name: String
    let key: P256PrivateKey
  }

  /// Certificates of `validity` around `now`; those of keys may have another one.
  package init(now: Date, name: String = "Test App Attestation Root CA") throws {
    let root = Issuer(name: name, key: try .generate())
    issuer = Issuer(name: "Test App Attestation CA 1", key: try .generate())
    let years = now.addingTimeInterval(-86_400)...now.addingTimeInterval(20 * 365 * 86_400)
    let der = try Self.certificate(root.name, root.key.publicKey, by: root, years, [Self.authority])
    intermediate = try Self.certificate(issuer.name, issuer.key.publicKey, by: root, years, [Self.authority])
    pem = """
      -----BEGIN CERTIFICATE-----
      \(Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed]))
      -----END CERTIFICATE-----

      """
  }

  /// The root's file on disk.
  package func file() throws -> String {
    let path = try TestFolder.make("attestation-root") + "/root.pem"
    try Data(pem.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// basicConstraints, critical: may sign others.
  private static let authority = DER.sequence(
    DER.identifier("2.5.29.19"), [0x01, 0x01, 0xFF], DER.octets(DER.sequence([0x01, 0x01, 0xFF])))

  /// The fields of a certificate, so that a test can change one.
  package struct Issue: Sendable {
    package var validity: ClosedRange<Date>
    /// The value of Apple's extension; nil leaves it out.
    package var nonce: [UInt8]?
    /// The certificate is there twice in place of the intermediate's.
    package var leavesOutIntermediate = false
    package var key: P256PublicKey
  }

  /// The chain for a key, first its own certificate.
  func chain(_ issue: Issue) throws -> [[UInt8]] {
    let nonce = issue.nonce.map { nonce in
      DER.sequence(
        DER.identifier("1.2.840.113635.100.8.2"),
        DER.octets(DER.sequence(DER.value(0xA1, DER.octets(nonce)))))
    }
    let leaf = try Self.certificate(
      "device", issue.key, by: issuer, issue.validity, nonce.map { [$0] } ?? [])
    return issue.leavesOutIntermediate ? [leaf] : [leaf, intermediate]
  }

  private static func certificate(
    _ name: String, _ key: P256PublicKey, by issuer: Issuer, _ validity: ClosedRange<Date>, _ extensions: [[UInt8]]
  ) throws -> [UInt8] {
    let algorithm = DER.sequence(DER.identifier("1.2.840.10045.4.3.2"))
    let body = DER.sequence(
      DER.value(0xA0, DER.integer([2])), DER.integer([1] + SecureRandom.bytes(8)), algorithm, named(issuer.name),
      DER.sequence(DER.time(validity.lowerBound), DER.time(validity.upperBound)), named(name),
      DER.sequence(
        DER.sequence(DER.identifier("1.2.840.10045.2.1"), DER.identifier("1.2.840.10045.3.1.7")),
        DER.bits(key.point)),
      extensions.isEmpty ? [] : DER.value(0xA3, DER.value(0x30, extensions.flatMap { $0 })))
    return DER.sequence(body, algorithm, DER.bits(try TestDevice.signature(of: body, by: issuer.key)))
  }

  private static func named(_ name: String) -> [UInt8] {
    DER.sequence(DER.value(0x31, DER.sequence(DER.identifier("2.5.4.3"), DER.value(0x0C, Array(name.utf8)))))
  }
}

/// A device with one key of App Attest.
package final class TestDevice: Sendable {
  package let key: P256PrivateKey
  /// The App ID: team, full stop, bundle.
  package let app: String
  package let isProduction: Bool

  package init(app: String, isProduction: Bool = false) throws {
    key = try .generate()
    self.app = app
    self.isProduction = isProduction
  }

  /// The key's name: SHA-256 of its point.
  package var keyID: [UInt8] { SHA256.digest(key.publicKey.point) }

  /// The fields of an attestation, so that a test can change one.
  package struct Claims: Sendable {
    package var app: String
    package var counter: UInt32 = 0
    package var kind: [UInt8]
    package var credentialID: [UInt8]
    package var format = "apple-appattest"
  }

  /// The attestation of this device's key over a hash, as Apple and the device make it.
  package func attestation(
    over clientDataHash: [UInt8], by root: TestAttestationRoot, now: Date,
    claims change: (inout Claims) -> Void = { _ in },
    issue changeIssue: (inout TestAttestationRoot.Issue) -> Void = { _ in }
  ) throws -> [UInt8] {
    var claims = Claims(
      app: app, kind: isProduction ? Array("appattest".utf8) + [0, 0, 0, 0, 0, 0, 0] : Array("appattestdevelop".utf8),
      credentialID: keyID)
    change(&claims)
    let point = key.publicKey
    let coseKey: [UInt8] =
      [0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21] + CBORText.bytes(point.x) + [0x22]
      + CBORText.bytes(point.y)
    let data =
      SHA256.digest(claims.app) + [0x40] + Self.bytes(claims.counter) + claims.kind
      + [0, UInt8(claims.credentialID.count)] + claims.credentialID + coseKey
    var issue = TestAttestationRoot.Issue(
      validity: now.addingTimeInterval(-3600)...now.addingTimeInterval(365 * 86_400),
      nonce: SHA256.digest(data + clientDataHash), key: point)
    changeIssue(&issue)
    let statement = CBORText.map([
      ("x5c", CBORText.array(try root.chain(issue).map(CBORText.bytes))),
      ("receipt", CBORText.bytes(Array("a receipt".utf8))),
    ])
    return CBORText.map([
      ("fmt", CBORText.text(claims.format)), ("attStmt", statement), ("authData", CBORText.bytes(data)),
    ])
  }

  /// An assertion over a hash.
  package func assertion(over clientDataHash: [UInt8], counter: UInt32, app: String? = nil) throws -> [UInt8] {
    let data = SHA256.digest(app ?? self.app) + [0x40] + Self.bytes(counter)
    let signature = try Self.signature(of: SHA256.digest(data + clientDataHash), by: key)
    return CBORText.map([("signature", CBORText.bytes(signature)), ("authenticatorData", CBORText.bytes(data))])
  }

  /// DER of an ECDSA signature.
  static func signature(of message: [UInt8], by key: P256PrivateKey) throws -> [UInt8] {
    let raw = try key.sign(message)
    return DER.sequence(DER.integer(Array(raw[..<32])), DER.integer(Array(raw[32...])))
  }

  private static func bytes(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
}
