import GatehousePrimitives
import GatehouseRuntime

/// The name of one request in answers and logs.
enum RequestID {
  /// The caller's own when it is 8 to 64 letters, digits, `-`, `_` or `.`; a fresh one otherwise.
  static func of(_ request: Request) -> String {
    if let given = request.headers.single("x-request-id"), (8...64).contains(given.utf8.count),
      given.utf8.allSatisfy({ isPlain($0) })
    {
      return given
    }
    return fresh.next()
  }

  private static let fresh = Sequence()

  /// Names that differ: within the process because each step of the sequence is another number (SplitMix64: a counter, and
  /// a mixing that can be undone), between processes by 96 random bits. Nobody has to be unable to guess them.
  private final class Sequence: Sendable {
    private let process = SecureRandom.bytes(4).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    private let state = LockBox(SecureRandom.bytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })

    func next() -> String {
      var mixed = state.withLock {
        $0 &+= 0x9E37_79B9_7F4A_7C15
        return $0
      }
      mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
      mixed ^= mixed >> 31
      // SAFETY: 24 of 24 bytes are written, all of them ASCII.
      return String(unsafeUninitializedCapacity: 24) { text in
        for place in 0..<8 { text[place] = Sequence.digit(process, 7 - place) }
        for place in 0..<16 { text[8 + place] = Sequence.digit(mixed, 15 - place) }
        return 24
      }
    }

    /// A hexadecimal digit of a number, counted from its last.
    private static func digit(_ number: UInt64, _ place: Int) -> UInt8 {
      let value = UInt8(truncatingIfNeeded: number >> UInt64(4 * place)) & 15
      return value < 10 ? 0x30 + value : 0x57 + value
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
    default: false
    }
  }
}
