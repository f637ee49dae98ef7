package import Foundation
package import GatehousePrimitives

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
