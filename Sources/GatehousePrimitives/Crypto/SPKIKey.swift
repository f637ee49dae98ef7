import CCrypto

/// A public key of P-256, Ed25519 or RSA that verifies signatures. Its form on disk is SubjectPublicKeyInfo (RFC 5280
/// section 4.1.2.7). Usable from many threads at once.
///
/// `@unchecked Sendable`: the key is never changed after `init`, and OpenSSL allows many threads to use one.
final class SPKIKey: @unchecked Sendable {
  enum Kind: Sendable { case p256, ed25519, rsa }

  let kind: Kind
  private let key: OpaquePointer

  /// The bits of a modulus: below is weak (RFC 8017 and NIST SP 800-57), above is slow.
  static let rsaBits: ClosedRange<Int32> = 2048...4096

  /// Takes ownership of `key`, also when it throws.
  /// - Throws: `CryptoError.invalidKey` unless the key is sound and of one of the kinds.
  init(owning key: OpaquePointer?) throws(CryptoError) {
    guard let key else {
      ERR_clear_error()
      throw .invalidKey
    }
    guard let kind = Self.kind(of: key) else {
      EVP_PKEY_free(key)
      ERR_clear_error()
      throw .invalidKey
    }
    (self.key, self.kind) = (key, kind)
  }

  deinit { EVP_PKEY_free(key) }

  /// Reads DER; bytes behind it are refused.
  convenience init(spki: [UInt8]) throws(CryptoError) {
    let key = spki.withUnsafeBufferPointer { bytes -> OpaquePointer? in
      var cursor = bytes.baseAddress
      // SAFETY: d2i reads at most `count` bytes from the cursor and moves it to the end of what it read.
      guard let key = d2i_PUBKEY(nil, &cursor, bytes.count) else { return nil }
      guard let start = bytes.baseAddress, let cursor, cursor - start == bytes.count else {
        EVP_PKEY_free(key)
        return nil
      }
      return key
    }
    try self.init(owning: key)
  }

  /// The key of a point of P-256, uncompressed.
  convenience init(point: [UInt8]) throws(CryptoError) {
    guard point.count == 65 else { throw .invalidKey }
    // SAFETY: the point has the 65 bytes that are read.
    try self.init(owning: gh_public_p256(point))
  }

  /// The key of 32 bytes (RFC 8032 section 5.1.5).
  convenience init(ed25519 bytes: [UInt8]) throws(CryptoError) {
    guard bytes.count == 32 else { throw .invalidKey }
    // SAFETY: the array is alive for the call with the count given.
    try self.init(owning: EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, bytes, bytes.count))
  }

  /// The key of these numbers, most significant byte first and without leading zeroes.
  convenience init(modulus n: [UInt8], exponent e: [UInt8]) throws(CryptoError) {
    guard n.count <= Int(Self.rsaBits.upperBound) / 8, e.count <= 4, n.first ?? 0 != 0, e.first ?? 0 != 0 else {
      throw .invalidKey
    }
    // SAFETY: both numbers are read for the counts given, which the guard bounds.
    try self.init(owning: gh_public_rsa(n, Int32(n.count), e, Int32(e.count)))
  }

  private static func kind(of key: OpaquePointer) -> Kind? {
    if EVP_PKEY_is_a(key, "ED25519") == 1 { return .ed25519 }
    if EVP_PKEY_is_a(key, "EC") == 1 { return KeyHandle.isSoundP256(key, private: false) ? .p256 : nil }
    guard EVP_PKEY_is_a(key, "RSA") == 1, rsaBits.contains(EVP_PKEY_get_bits(key)) else { return nil }
    return isSoundExponent(key) ? .rsa : nil
  }

  /// Whether the exponent is odd, at least 3 and at most 4 bytes long.
  private static func isSoundExponent(_ key: OpaquePointer) -> Bool {
    var number: OpaquePointer?
    // SAFETY: OpenSSL allocates the number; freed below.
    guard EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_E, &number) == 1, let number else { return false }
    defer { BN_free(number) }
    return BN_is_odd(number) == 1 && BN_num_bits(number) <= 32 && BN_is_one(number) != 1
  }

  /// The key as DER.
  var spki: [UInt8] {
    var der: UnsafeMutablePointer<UInt8>?
    // SAFETY: with a nil place, i2d allocates; freed below.
    let size = Int(i2d_PUBKEY(key, &der))
    guard size > 0, let der else { return [] }
    defer { CRYPTO_free(der, "", 0) }
    return Array(UnsafeBufferPointer(start: der, count: size))
  }

  /// The point of a key on P-256, uncompressed: 65 bytes.
  var point: [UInt8]? { kind == .p256 ? Array(spki.suffix(65)) : nil }

  /// Whether `signature` is one of `message`: DER of ECDSA with SHA-256, 64 bytes of Ed25519, or RSASSA-PKCS1-v1_5 with
  /// SHA-256.
  func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
    guard signature.count <= Int(Self.rsaBits.upperBound) / 8, let context = EVP_MD_CTX_new() else { return false }
    defer { EVP_MD_CTX_free(context) }
    // Ed25519 hashes by itself. SAFETY: both inputs are alive for the calls with the counts given.
    let hash = kind == .ed25519 ? nil : "SHA256"
    let verdict =
      EVP_DigestVerifyInit_ex(context, nil, hash, nil, nil, key, nil) == 1
      ? EVP_DigestVerify(context, signature, signature.count, message, message.count) : 0
    // A refused signature leaves entries in this thread's error queue, which others would misread.
    if verdict != 1 { ERR_clear_error() }
    return verdict == 1
  }
}
