import CCrypto
package import GatehousePrimitives

/// A key pair of one of the algorithms of passkeys: the half that a server never has. Of other algorithms than P-256
/// the server only verifies, so the private half is OpenSSL's here.
package final class TestKeyPair: @unchecked Sendable {
  package let algorithm: PasskeyAlgorithm
  private let key: OpaquePointer

  package enum Failure: Error { case library }

  package init(_ algorithm: PasskeyAlgorithm, bits: Int32 = 2048) throws {
    self.algorithm = algorithm
    var made: OpaquePointer?
    if algorithm == .es256 {
      made = gh_generate_p256()
    } else {
      let context = EVP_PKEY_CTX_new_id(algorithm == .rs256 ? EVP_PKEY_RSA : EVP_PKEY_ED25519, nil)
      defer { EVP_PKEY_CTX_free(context) }
      guard EVP_PKEY_keygen_init(context) == 1 else { throw Failure.library }
      if algorithm == .rs256 { EVP_PKEY_CTX_set_rsa_keygen_bits(context, bits) }
      guard EVP_PKEY_keygen(context, &made) == 1 else { throw Failure.library }
    }
    guard let made else { throw Failure.library }
    key = made
  }

  deinit { EVP_PKEY_free(key) }

  /// The private half as PKCS #8 writes it.
  package func pkcs8() throws -> [UInt8] {
    guard let info = EVP_PKEY2PKCS8(key) else { throw Failure.library }
    defer { PKCS8_PRIV_KEY_INFO_free(info) }
    var bytes = [UInt8](repeating: 0, count: Int(max(0, i2d_PKCS8_PRIV_KEY_INFO(info, nil))))
    let written = bytes.withUnsafeMutableBufferPointer { buffer in
      var place = buffer.baseAddress
      return i2d_PKCS8_PRIV_KEY_INFO(info, &place)
    }
    guard written > 0, Int(written) == bytes.count else { throw Failure.library }
    return bytes
  }

  /// The public half as COSE writes it; further members go behind.
  package func cose(_ more: [(Int, [UInt8])] = []) throws -> [UInt8] {
    switch algorithm {
    case .es256:
      let point = try number(OSSL_PKEY_PARAM_EC_PUB_X, 32) + number(OSSL_PKEY_PARAM_EC_PUB_Y, 32)
      return CBORText.numbered(
        Self.kind(2, -7) + [
          (-1, [1]), (-2, CBORText.bytes(Array(point[..<32]))), (-3, CBORText.bytes(Array(point[32...]))),
        ]
          + more)
    case .edDSA:
      var bytes = [UInt8](repeating: 0, count: 32)
      var size = bytes.count
      guard EVP_PKEY_get_raw_public_key(key, &bytes, &size) == 1 else { throw Failure.library }
      return CBORText.numbered(Self.kind(1, -8) + [(-1, [6]), (-2, CBORText.bytes(bytes))] + more)
    case .rs256:
      let modulus = try number(OSSL_PKEY_PARAM_RSA_N, Int(EVP_PKEY_get_bits(key)) / 8)
      return CBORText.numbered(
        Self.kind(3, -257) + [(-1, CBORText.bytes(modulus)), (-2, CBORText.bytes([1, 0, 1]))] + more)
    }
  }

  private static func kind(_ type: Int, _ algorithm: Int) -> [(Int, [UInt8])] {
    [(1, CBORText.integer(type)), (3, CBORText.integer(algorithm))]
  }

  private func number(_ name: String, _ size: Int) throws -> [UInt8] {
    var number: OpaquePointer?
    guard EVP_PKEY_get_bn_param(key, name, &number) == 1, let number else { throw Failure.library }
    defer { BN_free(number) }
    var bytes = [UInt8](repeating: 0, count: size)
    guard BN_bn2binpad(number, &bytes, Int32(size)) == Int32(size) else { throw Failure.library }
    return bytes
  }

  /// The public half on P-256.
  package func point() throws -> P256PublicKey {
    try P256PublicKey(x: number(OSSL_PKEY_PARAM_EC_PUB_X, 32), y: number(OSSL_PKEY_PARAM_EC_PUB_Y, 32))
  }

  /// A signature in the form of WebAuthn.
  package func sign(_ message: [UInt8]) throws -> [UInt8] {
    guard let context = EVP_MD_CTX_new() else { throw Failure.library }
    defer { EVP_MD_CTX_free(context) }
    let hash = algorithm == .edDSA ? nil : "SHA256"
    var signature = [UInt8](repeating: 0, count: 1024)
    var size = signature.count
    guard EVP_DigestSignInit_ex(context, nil, hash, nil, nil, key, nil) == 1,
      EVP_DigestSign(context, &signature, &size, message, message.count) == 1
    else { throw Failure.library }
    return Array(signature.prefix(size))
  }
}
