import CCrypto

/// An RSA public key that verifies RS256 (RFC 7518 section 3.3), for tokens of identity providers; we never sign with
/// RSA. Usable from many threads at once.
package final class RSAPublicKey: Sendable {
  private let handle: KeyHandle

  /// - Parameters: modulus and exponent, most significant byte first.
  /// - Throws: `CryptoError.weakKey` below 2048 bits (RFC 7518), `invalidKey` above 8192 bits or for an exponent that
  ///   is even, below 3 or longer than 4 bytes.
  package init(modulus: [UInt8], exponent: [UInt8]) throws(CryptoError) {
    let n = Array(modulus.drop { $0 == 0 })
    let e = Array(exponent.drop { $0 == 0 })
    guard let top = n.first, n.count <= 1024, let low = e.last, low & 1 == 1, e.count <= 4, e != [1] else {
      throw .invalidKey
    }
    guard n.count > 256 || (n.count == 256 && top & 0x80 != 0) else { throw .weakKey }
    // SAFETY: both numbers are read for the counts given, which the guards bound.
    let key = gh_public_rsa(n, Int32(n.count), e, Int32(e.count))
    guard let key else { throw .invalidKey }
    handle = try KeyHandle(owning: key, for: .verifying)
  }

  /// Whether `signature` is an RSASSA-PKCS1-v1_5 signature with SHA-256 of `message`.
  package func verifies(_ signature: [UInt8], of message: ArraySlice<UInt8>) -> Bool {
    handle.verifies(signature, of: message)
  }
}
