import GatehousePrimitives
import GatehouseRuntime

/// Names of requests in answers and logs.
final class RequestIDs: Sendable {
  // Names have to differ, not to be hard to guess. Those of one giver differ because each step of the sequence is
  // another number (SplitMix64: a counter, and a mixing that can be undone), those of several by 74 random bits.
  private let giver = SecureRandom.bytes(2).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
  private let state = LockBox(SecureRandom.bytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  /// Base 32 without the letters that look like digits or make words.
  private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

  /// The caller's own name for its request when it is 8 to 64 letters, digits, `-`, `_` or `.`; a fresh one otherwise.
  func name(of request: Request) -> String {
    if let given = request.headers.single("x-request-id"), (8...64).contains(given.utf8.count),
      given.utf8.allSatisfy({ Self.isPlain($0) })
    {
      return given
    }
    return fresh()
  }

  /// A name for what has none of the caller's.
  func fresh() -> String {
    var mixed = state.withLock {
      $0 &+= 0x9E37_79B9_7F4A_7C15
      return $0
    }
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    // Fifteen bytes: as many as a string has room for in itself.
    // SAFETY: 15 of 15 bytes are written, all of them ASCII.
    return String(unsafeUninitializedCapacity: 15) { text in
      for index in 0..<2 { text[index] = Self.digits[Int(giver >> UInt64(5 * index)) & 31] }
      for index in 0..<13 { text[2 + index] = Self.digits[Int(truncatingIfNeeded: mixed >> UInt64(5 * index)) & 31] }
      return 15
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
    default: false
    }
  }
}
