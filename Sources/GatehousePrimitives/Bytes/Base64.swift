/// Base64 without padding (RFC 4648), strict in reading: one text per value.
struct Base64: Sendable {
  /// Section 5 of RFC 4648, as RFC 7515 uses it.
  static let url = Base64(lastTwo: "-_")
  /// Section 4 of RFC 4648, as password hashes in PHC form use it.
  static let standard = Base64(lastTwo: "+/")

  private let alphabet: [UInt8]
  /// For each byte its six bits, or 255.
  private let values: [UInt8]

  private init(lastTwo: String) {
    alphabet = Array(("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + lastTwo).utf8)
    var values = [UInt8](repeating: 255, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    self.values = values
  }

  func encode(_ bytes: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: (bytes.count * 4 + 2) / 3) { output, written in
      var held: UInt32 = 0
      var bits: UInt32 = 0
      // SAFETY: each input byte adds eight bits and each output takes six, so `written` ends at the capacity.
      for byte in bytes {
        held = (held << 8 | UInt32(byte)) & 0xFFFF
        bits += 8
        while bits >= 6 {
          bits -= 6
          output.initializeElement(at: written, to: alphabet[Int(held >> bits) & 63])
          written += 1
        }
      }
      if bits > 0 {
        output.initializeElement(at: written, to: alphabet[Int(held << (6 - bits)) & 63])
        written += 1
      }
    }
  }

  func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    guard text.count % 4 != 1 else { return nil }
    var output: [UInt8] = []
    output.reserveCapacity(text.count * 3 / 4)
    var held: UInt32 = 0
    var bits: UInt32 = 0
    for character in text {
      let value = values[Int(character)]
      guard value < 64 else { return nil }
      held = (held << 6 | UInt32(value)) & 0xFFFF
      bits += 6
      if bits >= 8 {
        bits -= 8
        output.append(UInt8(truncatingIfNeeded: held >> bits))
      }
    }
    guard held & ((1 << bits) - 1) == 0 else { return nil }
    return output
  }
}
