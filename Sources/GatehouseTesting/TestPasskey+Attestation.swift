package import Foundation
import GatehousePrimitives

/// Statements of makers about an authenticator, under a root of the tests' own.
extension TestPasskey {
  /// WebAuthn section 8.2, by a certificate of a model.
  package func packed(
    _ parts: Parts, by root: TestAttestationRoot, now: Date, signed: [UInt8]? = nil, algorithm: Int = -7,
    _ change: (inout TestAttestationRoot.Model) -> Void = { _ in }
  ) throws -> [UInt8] {
    let maker = try TestKeyPair(.es256)
    var model = try Self.model(maker, now)
    model.model = parts.model
    change(&model)
    return CBORText.map([
      ("alg", CBORText.integer(algorithm)), ("sig", CBORText.bytes(try maker.sign(signed ?? parts.signed))),
      ("x5c", CBORText.array(try root.chain(model).map(CBORText.bytes))),
    ])
  }

  /// WebAuthn section 8.2, by the passkey itself.
  package func selfPacked(_ parts: Parts) throws -> [UInt8] {
    CBORText.map([
      ("alg", CBORText.integer(pair.algorithm.rawValue)), ("sig", CBORText.bytes(try pair.sign(parts.signed))),
    ])
  }

  /// WebAuthn section 8.6. The root signs by itself here: the format allows one certificate.
  package func u2f(
    _ parts: Parts, by root: TestAttestationRoot, now: Date, count: Int = 1, signed: [UInt8]? = nil
  ) throws -> [UInt8] {
    let maker = try TestKeyPair(.es256)
    let chain = try root.direct(try Self.model(maker, now))
    let message =
      [0] + SHA256.digest(parts.rpID) + SHA256.digest(parts.clientDataJSON) + parts.credentialID
      + (try pair.point().point)
    let signature = try maker.sign(signed ?? message)
    return CBORText.map([
      ("sig", CBORText.bytes(signature)),
      ("x5c", CBORText.array([[UInt8]](repeating: CBORText.bytes(chain), count: count))),
    ])
  }

  /// WebAuthn section 8.8.
  package func apple(
    _ parts: Parts, by root: TestAttestationRoot, now: Date,
    _ change: (inout TestAttestationRoot.Model) -> Void = { _ in }
  ) throws -> [UInt8] {
    var model = try Self.model(pair, now)
    model.nonce = SHA256.digest(parts.signed)
    change(&model)
    return CBORText.map([("x5c", CBORText.array(try root.chain(model).map(CBORText.bytes)))])
  }

  private static func model(_ maker: TestKeyPair, _ now: Date) throws -> TestAttestationRoot.Model {
    let year = now.addingTimeInterval(-3600)...now.addingTimeInterval(365 * 86_400)
    return TestAttestationRoot.Model(validity: year, key: try maker.point())
  }
}
