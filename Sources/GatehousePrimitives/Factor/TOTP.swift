import CCrypto
package import Foundation

/// One-time passwords of authenticator apps (RFC 6238): six digits, a new one every 30 seconds, under HMAC-SHA-1, which
/// is what every app reads. (HMAC does not need what SHA-1 has lost, RFC 6194 section 3.3.)
package enum TOTP {
  /// The hash functions of RFC 6238; ours is SHA-1.
  package enum HashFunction: Sendable, CaseIterable {
    case sha1, sha256, sha512

    // SAFETY: fetched once, never freed, and immutable; OpenSSL shares an EVP_MD between threads.
    nonisolated(unsafe) private static let oldest: OpaquePointer? = EVP_MD_fetch(nil, "SHA1", nil)
    nonisolated(unsafe) private static let longest: OpaquePointer? = EVP_MD_fetch(nil, "SHA512", nil)

    fileprivate func code(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
      switch self {
      case .sha1: KeyedHash.code(message, key: key, Self.oldest, size: 20)
      case .sha256: HMACSHA256.code(message, key: key)
      case .sha512: KeyedHash.code(message, key: key, Self.longest, size: 64)
      }
    }
  }

  /// Seconds of a step.
  package static let period = 30
  /// Digits of a code.
  package static let digits = NumericCode.digitCount
  /// Bytes of a seed: as many as HMAC-SHA-1 gives (RFC 4226 section 4, R6).
  package static let seedSize = 20

  /// A new random seed.
  package static func makeSeed() -> Secret<[UInt8]> { Secret(SecureRandom.bytes(seedSize)) }

  /// The step of a moment: periods since 1970.
  package static func step(at now: Date) -> Int64 {
    Int64(exactly: (now.timeIntervalSince1970 / Double(period)).rounded(.down)) ?? 0
  }

  /// The code of a step, with its leading zeroes.
  /// - Parameter count: Digits, nine at most.
  package static func code(
    seed: Secret<[UInt8]>, step: Int64, digits count: Int = digits, hash: HashFunction = .sha1
  ) -> String {
    let message = withUnsafeBytes(of: step.bigEndian) { Array($0) }
    let full = seed.expose { hash.code(message, key: $0) }
    // Dynamic truncation (RFC 4226 section 5.3): the last four bits say where the number of 31 bits begins.
    let start = Int(full[full.count - 1] & 15)
    var number = full[start..<(start + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
    var text = [UInt8](repeating: UInt8(ascii: "0"), count: min(count, 9))
    for place in text.indices.reversed() {
      text[place] += UInt8(number % 10)
      number /= 10
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The step that a code is of, when that is the step of now or the one before: people type while a step ends. Both
  /// are always compared. That a step is used once is the store's to say.
  package static func matchingStep(_ code: NumericCode, seed: Secret<[UInt8]>, at now: Date) -> Int64? {
    let current = step(at: now)
    let given = code.text.expose { Array($0.utf8) }
    var matching: Int64?
    // GUARD: totp: the step of now and the one before
    let steps = [current - 1, current]
    for step in steps {
      // GUARD: totp: the code is that of the seed and the step
      let isEqual = ConstantTime.equal(given, Array(self.code(seed: seed, step: step).utf8))
      matching = isEqual ? step : matching
    }
    return matching
  }
}
