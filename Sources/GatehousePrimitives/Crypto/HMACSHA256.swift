import CCrypto

/// HMAC (RFC 2104, FIPS 198-1) with a hash function of OpenSSL's.
enum KeyedHash {
  /// The code of `message` under a key of any length: `size` bytes, which is what `hash` gives.
  static func code(_ message: [UInt8], key: [UInt8], _ hash: OpaquePointer?, size: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: max(size, Int(EVP_MAX_MD_SIZE))) { output, written in
      var given: UInt32 = 0
      // SAFETY: arrays are alive for the call with the counts given; a non-nil key pointer even when empty, because
      // OpenSSL reads a nil key as "the one of before". The output has room for the longest code of any hash.
      let done = key.isEmpty ? [0] : key
      guard let count = Int32(exactly: key.count),
        HMAC(hash, done, count, message, message.count, output.baseAddress, &given) != nil, given == size
      else {
        fatalError("HMAC is not available")  // as for SHA-256 itself
      }
      written = size
    }
  }
}

/// HMAC with SHA-256.
package enum HMACSHA256 {
  /// The 32-byte code of `message` under a key of any length, for protocols that fix the key; our own keys are
  /// `MACKey`.
  package static func code(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
    KeyedHash.code(message, key: key, SHA256.algorithm, size: 32)
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
