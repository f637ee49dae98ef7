/// SHA-1 (FIPS 180-4), for the codes of authenticator apps. No signature rests on it.
enum SHA1 {
  private static let block = 64

  static func digest(_ message: [UInt8]) -> [UInt8] {
    var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0]
    let padded = padded(message)
    for start in stride(from: 0, to: padded.count, by: block) {
      compress(padded[start..<(start + block)], into: &state)
    }
    return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
  }

  /// HMAC (RFC 2104) of a key that is no longer than a block.
  static func mac(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
    let key = key.prefix(block) + [UInt8](repeating: 0, count: max(0, block - key.count))
    return digest(key.map { $0 ^ 0x5c } + digest(key.map { $0 ^ 0x36 } + message))
  }

  private static func padded(_ message: [UInt8]) -> [UInt8] {
    let bits = UInt64(message.count) * 8
    let zeros = (2 * block - 9 - message.count % block) % block
    return message + [0x80] + [UInt8](repeating: 0, count: zeros)
      + (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) }
  }

  private static func compress(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
    var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { start in
      block[start..<(start + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    for index in 16..<80 {
      words.append(rotated(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], by: 1))
    }
    var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
    for (index, word) in words.enumerated() {
      let (mixed, constant): (UInt32, UInt32) =
        switch index / 20 {
        case 0: (b & c | ~b & d, 0x5a82_7999)
        case 1: (b ^ c ^ d, 0x6ed9_eba1)
        case 2: (b & c | b & d | c & d, 0x8f1b_bcdc)
        default: (b ^ c ^ d, 0xca62_c1d6)
        }
      (a, b, c, d, e) = (rotated(a, by: 5) &+ mixed &+ e &+ constant &+ word, a, rotated(b, by: 30), c, d)
    }
    for (index, value) in [a, b, c, d, e].enumerated() { state[index] &+= value }
  }

  private static func rotated(_ word: UInt32, by bits: UInt32) -> UInt32 { word << bits | word >> (32 - bits) }
}
