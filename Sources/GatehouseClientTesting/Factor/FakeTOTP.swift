import Foundation

/// The codes of an authenticator app (RFC 6238): six digits, SHA-1, steps of half a minute.
enum FakeTOTP {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")

  static func step(at now: Date) -> Int64 { Int64((now.timeIntervalSince1970 / 30).rounded(.down)) }

  static func code(_ seed: [UInt8], step: Int64) -> String {
    let counter = (0..<8).map { UInt8(truncatingIfNeeded: step >> (56 - 8 * Int64($0))) }
    let mac = SHA1.mac(counter, key: seed)
    let offset = Int(mac[19] & 0xf)
    let number = mac[offset..<(offset + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7fff_ffff
    let digits = String(number % 1_000_000)
    return String(repeating: "0", count: 6 - digits.count) + digits
  }

  static func makeSeed() -> [UInt8] { (0..<20).map { _ in UInt8.random(in: 0...255) } }

  /// A seed in Base32 (RFC 4648). Its length is a multiple of five.
  static func text(_ seed: [UInt8]) -> String {
    var text = ""
    for start in stride(from: 0, to: seed.count, by: 5) {
      let bits = seed[start..<min(start + 5, seed.count)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      for shift in stride(from: 35, through: 0, by: -5) { text.append(alphabet[Int(bits >> UInt64(shift) & 31)]) }
    }
    return text
  }

  /// The seed of its text in Base32, with spaces or without; nil where it is none.
  static func seed(_ text: String) -> [UInt8]? {
    var (seed, bits, count) = ([UInt8](), UInt32(0), 0)
    for character in text.uppercased() where character != " " {
      guard let value = alphabet.firstIndex(of: character) else { return nil }
      (bits, count) = (bits << 5 | UInt32(value), count + 5)
      if count >= 8 {
        count -= 8
        seed.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        bits &= (1 << UInt32(count)) - 1
      }
    }
    return seed.isEmpty ? nil : seed
  }
}

/// Recovery codes: 24 characters of Crockford's Base32, in groups of four.
enum FakeRecoveryCode {
  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

  static func makeSet() -> [String] {
    (0..<10).map { _ in
      (0..<6).map { _ in String((0..<4).map { _ in alphabet[Int.random(in: 0..<32)] }) }.joined(separator: "-")
    }
  }

  /// A code in the form of comparison. Case, separators and look-alikes do not matter.
  static func canonical(_ typed: String) -> String {
    let alike: [Character: Character] = ["O": "0", "I": "1", "L": "1"]
    return String(typed.uppercased().map { alike[$0] ?? $0 }.filter(alphabet.contains))
  }
}
