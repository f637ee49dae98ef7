import Glibc

/// The kernel's cryptographically secure random generator (getrandom(2)); usable from any thread. It has no state of
/// ours that a fork or a copied machine could repeat, and after a hash, when nothing is in the processor's cache, costs
/// an eighth of OpenSSL's.
package enum SecureRandom {
  /// `count` random bytes.
  package static func bytes(_ count: Int) -> [UInt8] {
    guard count > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
      // SAFETY: the buffer has room for `count` bytes, and a success writes all of them.
      guard var next = buffer.baseAddress else { return }
      while written < count {
        let size = min(count - written, 256)
        guard getentropy(next, size) == 0 else {
          // Only a broken installation gets here (the kernel's generator blocks, it does not fail), and there is no
          // safe way to go on: every token made from now on could be guessed.
          fatalError("the random generator failed")
        }
        written += size
        next += size
      }
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
