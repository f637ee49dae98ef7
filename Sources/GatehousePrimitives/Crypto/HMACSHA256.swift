import CCrypto

/// HMAC with SHA-256 (RFC 2104, FIPS 198-1).
package enum HMACSHA256 {
  /// The 32-byte code of `message` under a key of any length, for protocols that fix the key; our own keys are
  /// `MACKey`.
  package static func code(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 32) { output, written in
      var size: UInt32 = 0
      // SAFETY: arrays are alive for the call with the counts given; a non-nil key pointer even when empty, because
      // OpenSSL reads a nil key as "the one of before". The output has the 32 bytes that are written.
      let done = key.isEmpty ? [0] : key
      guard let count = Int32(exactly: key.count),
        HMAC(SHA256.algorithm, done, count, message, message.count, output.baseAddress, &size) != nil, size == 32
      else {
        fatalError("HMAC-SHA-256 is not available")  // as for SHA-256 itself
      }
      written = 32
    }
  }
}

/// A secret key for HMAC-SHA-256 of at least 256 bits (RFC 7518 section 3.2, RFC 2104 section 3).
package struct MACKey: Sendable {
  private let key: Secret<[UInt8]>

  /// - Throws: `CryptoError.weakKey` below 32 bytes.
  package init(_ key: [UInt8]) throws(CryptoError) {
    guard key.count >= 32 else { throw .weakKey }
    self.key = Secret(key)
  }

  /// A new random key of 32 bytes.
  package static func random() -> MACKey { MACKey(trusted: SecureRandom.bytes(32)) }

  private init(trusted key: [UInt8]) { self.key = Secret(key) }

  /// The 32-byte code of `message`.
  package func code(_ message: [UInt8]) -> [UInt8] { key.expose { HMACSHA256.code(message, key: $0) } }

  /// The code of several parts; their lengths are authenticated too, so that no two lists run into each other.
  package func code(parts: [[UInt8]]) -> [UInt8] {
    code(parts.reduce(into: []) { $0 += UInt32(truncatingIfNeeded: $1.count).bigEndianBytes + $1 })
  }

  /// Whether `code` is that of `message`; constant time.
  package func isValid(_ code: [UInt8], for message: [UInt8]) -> Bool {
    ConstantTime.equal(self.code(message), code)
  }
}
