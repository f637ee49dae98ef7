package import Foundation

/// Version 7 UUIDs that sort in the order in which they were made (RFC 9562 sections 5.7 and 6.2): 48 bits of Unix
/// time, a counter of 26 bits that begins anew, at random, with each millisecond, and 48 random bits.
package final class UUIDSequence: Sendable {
  private let last = LockBox<(milliseconds: Int64, counter: UInt32)>((-1, 0))

  package init() {}

  /// The next one.
  /// - Parameter milliseconds: Unix time in milliseconds, from the caller's clock; clamped to what 48 bits hold. Where
  ///   it goes back, so does the order.
  package func next(milliseconds: Int64) -> UUID {
    var bytes = SecureRandom.bytes(16)
    let counter = last.withLock { last in
      // Half of the counter's numbers are left to count through: no millisecond has time for them.
      let start = bytes[6..<10].reduce(0) { $0 << 8 | UInt32($1) } & 0x1FF_FFFF
      last = (milliseconds, milliseconds == last.milliseconds ? last.counter &+ 1 : start)
      return last.counter
    }
    let time = UInt64(min(max(milliseconds, 0), (1 << 48) - 1))
    for index in 0..<6 { bytes[index] = UInt8(truncatingIfNeeded: time >> UInt64(8 * (5 - index))) }
    bytes[6] = 0x70 | UInt8(truncatingIfNeeded: counter >> 22 & 0x0F)
    bytes[7] = UInt8(truncatingIfNeeded: counter >> 14)
    bytes[8] = 0x80 | UInt8(truncatingIfNeeded: counter >> 8 & 0x3F)
    bytes[9] = UInt8(truncatingIfNeeded: counter)
    return UUID(bigEndian: bytes[...]) ?? UUID()  // sixteen bytes always make one
  }
}

extension UUID {
  /// A version 4 UUID (RFC 9562 section 5.4). Foundation's `UUID()` opens /dev/urandom for each one.
  package static func random() -> UUID {
    var bytes = SecureRandom.bytes(16)
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    return UUID(bigEndian: bytes[...]) ?? UUID()  // sixteen bytes always make one
  }

  /// The UUID with these 16 bytes, or `nil` for another number of bytes.
  package init?(bigEndian bytes: ArraySlice<UInt8>) {
    guard bytes.count == 16 else { return nil }
    var raw: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &raw) { $0.copyBytes(from: bytes) }
    self.init(uuid: raw)
  }

  /// The 16 bytes, most significant first.
  package var bytes: [UInt8] { withUnsafeBytes(of: uuid) { Array($0) } }

  /// The lower-case text form (RFC 9562 section 4). Foundation's is printed and read by a format.
  package var text: String {
    withUnsafeBytes(of: uuid) { bytes in
      String(unsafeUninitializedCapacity: 36) { text in
        var at = 0
        for (index, byte) in bytes.enumerated() {
          if UUID.isBehindHyphen(index) {
            text[at] = UInt8(ascii: "-")
            at += 1
          }
          text[at] = Hex.digit(byte >> 4)
          text[at + 1] = Hex.digit(byte & 15)
          at += 2
        }
        return at
      }
    }
  }

  /// Reads the text form, in either case; nil for anything else.
  package init?(text: String) {
    let characters = Array(text.utf8)
    guard characters.count == 36 else { return nil }
    var raw: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    let isRead = withUnsafeMutableBytes(of: &raw) { bytes in
      var at = 0
      for index in 0..<16 {
        if UUID.isBehindHyphen(index) {
          guard characters[at] == UInt8(ascii: "-") else { return false }
          at += 1
        }
        guard let high = Hex.value(of: characters[at]), let low = Hex.value(of: characters[at + 1]) else {
          return false
        }
        bytes[index] = high << 4 | low
        at += 2
      }
      return true
    }
    guard isRead else { return nil }
    self.init(uuid: raw)
  }

  private static func isBehindHyphen(_ index: Int) -> Bool { index == 4 || index == 6 || index == 8 || index == 10 }
}
