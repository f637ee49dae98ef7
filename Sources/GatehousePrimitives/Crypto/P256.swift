import CCrypto

/// A P-256 private key that signs ES256 (RFC 7518 section 3.4). Usable from many threads at once.
package final class P256PrivateKey: Sendable {
  private let handle: KeyHandle
  /// The public half.
  package let publicKey: P256PublicKey

  private init(owning key: OpaquePointer) throws(CryptoError) {
    handle = try KeyHandle(owning: key, for: .signing)
    publicKey = try P256PublicKey(x: handle.coordinate(OSSL_PKEY_PARAM_EC_PUB_X), y: handle.coordinate("qy"))
  }

  /// A new random key.
  package static func generate() throws(CryptoError) -> P256PrivateKey {
    guard let key = gh_generate_p256() else { throw .libraryFailure }
    return try P256PrivateKey(owning: key)
  }

  /// Reads PKCS #8 DER (RFC 5208); trailing bytes, other curves and inconsistent keys are refused.
  /// - Throws: `CryptoError.invalidKey`.
  package convenience init(pkcs8: Secret<[UInt8]>) throws(CryptoError) {
    let key = pkcs8.expose { der in P256PrivateKey.read(der) }
    guard let key else {
      ERR_clear_error()
      throw .invalidKey
    }
    guard KeyHandle.isSoundP256(key, private: true) else {
      EVP_PKEY_free(key)
      ERR_clear_error()
      throw .invalidKey
    }
    try self.init(owning: key)
  }

  private static func read(_ der: [UInt8]) -> OpaquePointer? {
    der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
      var cursor = bytes.baseAddress
      // SAFETY: d2i reads at most `count` bytes from the cursor and moves it to the end of what it read.
      guard let info = d2i_PKCS8_PRIV_KEY_INFO(nil, &cursor, bytes.count) else { return nil }
      defer { PKCS8_PRIV_KEY_INFO_free(info) }
      guard let start = bytes.baseAddress, let cursor, cursor - start == bytes.count else { return nil }
      return EVP_PKCS82PKEY(info)
    }
  }

  /// The key as PKCS #8 DER.
  package func pkcs8() throws(CryptoError) -> Secret<[UInt8]> {
    guard let info = EVP_PKEY2PKCS8(handle.key) else { throw .libraryFailure }
    defer { PKCS8_PRIV_KEY_INFO_free(info) }
    var der: UnsafeMutablePointer<UInt8>?
    // SAFETY: with a nil place, i2d allocates; overwritten and freed below.
    let size = Int(i2d_PKCS8_PRIV_KEY_INFO(info, &der))
    guard size > 0, let der else { throw .libraryFailure }
    defer { CRYPTO_clear_free(der, size, "", 0) }
    return Secret(Array(UnsafeBufferPointer(start: der, count: size)))
  }

  /// The 64 bytes r ‖ s over `message`.
  package func sign(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
    let raw = handle.withContext { context -> [UInt8]? in
      var der = [UInt8](repeating: 0, count: 80)
      var size = der.count
      // SAFETY: a P-256 signature in DER has at most 72 bytes.
      guard EVP_DigestSign(context, &der, &size, message, message.count) == 1 else { return nil }
      return ECDSASignature.raw(der: der[..<size])
    }
    guard case .some(.some(let raw)) = raw else { throw .libraryFailure }
    return raw
  }
}

/// A P-256 public key that verifies ES256. Usable from many threads at once.
package final class P256PublicKey: Sendable {
  /// Coordinates of the point, 32 bytes each, most significant first.
  package let x: [UInt8]
  /// See `x`.
  package let y: [UInt8]
  private let handle: KeyHandle

  /// - Throws: `CryptoError.invalidKey` unless both have 32 bytes and the point lies on the curve.
  package init(x: [UInt8], y: [UInt8]) throws(CryptoError) {
    guard x.count == 32, y.count == 32 else { throw .invalidKey }
    // SAFETY: the point has the 65 bytes that are read.
    let key = gh_public_p256([4] + x + y)
    guard let key else { throw .invalidKey }
    guard KeyHandle.isSoundP256(key, private: false) else {
      EVP_PKEY_free(key)
      ERR_clear_error()
      throw .invalidKey
    }
    self.x = x
    self.y = y
    handle = try KeyHandle(owning: key, for: .verifying)
  }

  /// Whether `signature` is r ‖ s in exactly 64 bytes, both in `1..<n`, and signs `message`.
  package func verifies(_ signature: [UInt8], of message: ArraySlice<UInt8>) -> Bool {
    guard let der = ECDSASignature.der(raw: signature) else { return false }
    return handle.verifies(der, of: message)
  }

  /// Whether `signature` is one of `message` in DER (RFC 3279 section 2.2.3), of at most 72 bytes.
  package func verifies(der signature: [UInt8], of message: [UInt8]) -> Bool {
    signature.count <= 72 && handle.verifies(signature, of: message[...])
  }

  /// The point, uncompressed (SEC 1 section 2.3.3): 65 bytes.
  package var point: [UInt8] { [4] + x + y }

  /// Reads an uncompressed point.
  /// - Throws: `CryptoError.invalidKey`.
  package convenience init(point: [UInt8]) throws(CryptoError) {
    guard point.count == 65, point.first == 4 else { throw .invalidKey }
    try self.init(x: Array(point[1..<33]), y: Array(point[33...]))
  }
}

/// The two writings of a P-256 signature.
enum ECDSASignature {
  /// The order of the group (SEC 2, section 2.4.2).
  static let order: [UInt8] = [
    0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
    0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
  ]

  /// r ‖ s from DER.
  static func raw(der: ArraySlice<UInt8>) -> [UInt8]? {
    der.withUnsafeBufferPointer { bytes -> [UInt8]? in
      var cursor = bytes.baseAddress
      // SAFETY: d2i reads at most `count` bytes; the signature owns both numbers and is freed here.
      guard let signature = d2i_ECDSA_SIG(nil, &cursor, bytes.count) else { return nil }
      defer { ECDSA_SIG_free(signature) }
      var raw = [UInt8](repeating: 0, count: 64)
      let done = raw.withUnsafeMutableBufferPointer { output -> Bool in
        guard let base = output.baseAddress else { return false }
        return BN_bn2binpad(ECDSA_SIG_get0_r(signature), base, 32) == 32
          && BN_bn2binpad(ECDSA_SIG_get0_s(signature), base + 32, 32) == 32
      }
      return done ? raw : nil
    }
  }

  /// DER from r ‖ s; `nil` unless there are 64 bytes and both numbers are in `1..<n`.
  static func der(raw: [UInt8]) -> [UInt8]? {
    guard raw.count == 64 else { return nil }
    var body: [UInt8] = []
    for number in [raw[..<32], raw[32...]] {
      guard number.lexicographicallyPrecedes(order) else { return nil }
      let digits = number.drop { $0 == 0 }
      guard let first = digits.first else { return nil }
      let integer = (first & 0x80 == 0 ? [] : [0]) + digits
      body += [0x02, UInt8(integer.count)] + integer
    }
    return [0x30, UInt8(body.count)] + body
  }
}
