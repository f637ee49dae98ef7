/// Base64url without padding (RFC 4648 section 5, as RFC 7515 uses it), strict in reading: one text per value.
package enum Base64URL {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// For each byte its six bits, or 255.
  private static let values: [UInt8] = {
    var table = [UInt8](repeating: 255, count: 256)
    for (value, character) in alphabet.enumerated() { table[Int(character)] = UInt8(value) }
    return table
  }()

  /// The text of `bytes`.
  package static func encode(_ bytes: [UInt8]) -> String {
    String(decoding: encodedBytes(bytes), as: UTF8.self)
  }

  /// The text of `bytes`, as ASCII.
  package static func encodedBytes(_ bytes: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: (bytes.count * 4 + 2) / 3) { output, written in
      var held: UInt32 = 0
      var bits = 0
      // SAFETY: each input byte adds eight bits and each output takes six, so `written` ends at the capacity.
      for byte in bytes {
        held = (held << 8 | UInt32(byte)) & 0xFFFF
        bits += 8
        while bits >= 6 {
          bits -= 6
          output.initializeElement(at: written, to: alphabet[Int(held >> UInt32(bits)) & 63])
          written += 1
        }
      }
      if bits > 0 {
        output.initializeElement(at: written, to: alphabet[Int(held << UInt32(6 - bits)) & 63])
        written += 1
      }
    }
  }

  /// The bytes of `text`, or `nil` for padding, white space, any other character, an impossible length, or last bits
  /// that are not zero.
  package static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    guard text.count % 4 != 1 else { return nil }
    var output: [UInt8] = []
    output.reserveCapacity(text.count * 3 / 4)
    var held: UInt32 = 0
    var bits = 0
    for character in text {
      let value = values[Int(character)]
      guard value < 64 else { return nil }
      held = (held << 6 | UInt32(value)) & 0xFFFF
      bits += 6
      if bits >= 8 {
        bits -= 8
        output.append(UInt8(truncatingIfNeeded: held >> UInt32(bits)))
      }
    }
    guard held & ((1 << UInt32(bits)) - 1) == 0 else { return nil }
    return output
  }

  /// The bytes of `text`, as `decode(_:)` on its UTF-8.
  package static func decode(_ text: String) -> [UInt8]? { decode(Array(text.utf8)[...]) }
}
