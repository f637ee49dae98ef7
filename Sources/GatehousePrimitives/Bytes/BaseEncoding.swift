/// Bytes as text without padding (RFC 4648): each character holds five or six bits. Strict in reading: one text per
/// value, save for characters that an alphabet names as look-alikes.
struct BaseEncoding: Sendable {
  private let alphabet: [UInt8]
  /// The bits of a character.
  private let width: UInt32
  /// For each byte its bits, or 255.
  private let values: [UInt8]

  /// - Parameters:
  ///   - alphabet: 32 or 64 characters of ASCII, in the order of their values.
  ///   - alike: characters that are read as another one of the alphabet.
  init(_ alphabet: String, alike: [(read: Character, meant: Character)] = []) {
    self.alphabet = Array(alphabet.utf8)
    width = self.alphabet.count > 32 ? 6 : 5
    var values = [UInt8](repeating: 255, count: 256)
    for (value, character) in self.alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    for pair in alike {
      guard let read = pair.read.asciiValue, let meant = pair.meant.asciiValue else { continue }
      values[Int(read)] = values[Int(meant)]
    }
    self.values = values
  }

  func encode(_ bytes: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: (bytes.count * 8 + Int(width) - 1) / Int(width)) { output, written in
      var held: UInt32 = 0
      var bits: UInt32 = 0
      let mask = 1 << Int(width) - 1
      // SAFETY: each input byte adds eight bits and each output takes `width`, so `written` ends at the capacity.
      for byte in bytes {
        held = (held << 8 | UInt32(byte)) & 0xFFFF
        bits += 8
        while bits >= width {
          bits -= width
          output.initializeElement(at: written, to: alphabet[Int(held >> bits) & mask])
          written += 1
        }
      }
      if bits > 0 {
        output.initializeElement(at: written, to: alphabet[Int(held << (width - bits)) & mask])
        written += 1
      }
    }
  }

  func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var output: [UInt8] = []
    output.reserveCapacity(text.count * Int(width) / 8)
    var held: UInt32 = 0
    var bits: UInt32 = 0
    for character in text {
      let value = values[Int(character)]
      guard value != 255 else { return nil }
      held = (held << width | UInt32(value)) & 0xFFFF
      bits += width
      if bits >= 8 {
        bits -= 8
        output.append(UInt8(truncatingIfNeeded: held >> bits))
      }
    }
    // A character more than the bytes need, or last bits that are not zero, would be a second text for them.
    guard bits < width, held & ((1 << bits) - 1) == 0 else { return nil }
    return output
  }
}

/// Base64 without padding.
enum Base64 {
  private static let common = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
  /// Section 5 of RFC 4648, as RFC 7515 uses it.
  static let url = BaseEncoding(common + "-_")
  /// Section 4 of RFC 4648, as password hashes in PHC form use it.
  static let standard = BaseEncoding(common + "+/")
}
