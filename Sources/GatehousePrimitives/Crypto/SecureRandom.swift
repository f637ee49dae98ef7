import CCrypto

/// The cryptographically secure random generator of OpenSSL, seeded by the kernel; usable from any thread.
package enum SecureRandom {
  /// `count` random bytes.
  package static func bytes(_ count: Int) -> [UInt8] {
    guard count > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
      // SAFETY: the buffer has room for `count` bytes, and a success writes all of them.
      guard let base = buffer.baseAddress, let size = Int32(exactly: count), RAND_bytes(base, size) == 1 else {
        // Only a broken installation gets here (the kernel's generator blocks, it does not fail), and there is no safe
        // way to go on: every token made from now on could be guessed.
        fatalError("the random generator failed")
      }
      written = count
    }
  }

  /// A uniform number in `0..<bound`, without modulo bias (rejection sampling).
  package static func number(below bound: UInt32) -> UInt32 {
    guard bound > 1 else { return 0 }
    let limit = UInt32.max - UInt32.max % bound
    while true {
      let drawn = bytes(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      if drawn < limit { return drawn % bound }
    }
  }
}
