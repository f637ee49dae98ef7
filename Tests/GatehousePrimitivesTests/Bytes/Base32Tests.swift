import GatehouseTesting
import Testing

@testable import GatehousePrimitives

@Suite("Base32 has one text per value") struct Base32Tests {
  /// RFC 4648, section 10, without padding.
  static let vectors = [
    ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("fooba", "MZXW6YTB"),
    ("foobar", "MZXW6YTBOI"),
  ]

  @Test("the vectors of RFC 4648 are written", arguments: vectors)
  func writes(plain: String, text: String) { #expect(Base32.encode(plain.bytes) == text) }

  @Test("the vectors of RFC 4648 are read", arguments: vectors)
  func reads(plain: String, text: String) { #expect(Base32.decode(text) == plain.bytes) }

  @Test("random bytes of every length come back in both alphabets")
  func roundTrip() {
    var random = SeededGenerator()
    for count in 0..<100 {
      let bytes = random.bytes(count)
      #expect(Base32.decode(Base32.encode(bytes)) == bytes)
      #expect(Base32.crockfordDecode(Base32.crockfordEncode(bytes)) == bytes)
    }
  }

  @Test(
    "padding, small letters, other characters, impossible lengths and last bits are refused",
    arguments: ["MY======", "my", "MZXW0", "MZXW1", "MZ XQ", "M", "MZX", "MZXW6Y", "MZ", "MZXR", "MZXÜ", "="])
  func refuses(text: String) { #expect(Base32.decode(text) == nil) }

  @Test("a text is the only one of its bytes")
  func unique() throws {
    for character in "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567" {
      let text = "M\(character)"
      guard let bytes = Base32.decode(text) else { continue }
      #expect(Base32.encode(bytes) == text)
    }
  }

  @Test("Crockford's alphabet is that of its author: 0 to 9, then letters without I, L, O and U")
  func crockford() throws {
    // The numbers 0 to 31, five bits each.
    let bits = (0..<32).flatMap { number in (0..<5).map { UInt8(number >> (4 - $0) & 1) } }
    let bytes = stride(from: 0, to: bits.count, by: 8).map { bits[$0..<($0 + 8)].reduce(0) { $0 << 1 | $1 } }
    #expect(Base32.crockfordEncode(bytes) == "0123456789ABCDEFGHJKMNPQRSTVWXYZ")
  }

  @Test("in Crockford's alphabet small letters and look-alikes are read as what they look like")
  func alike() {
    #expect(Base32.crockfordDecode("oOiIlLab") == Base32.crockfordDecode("001111AB"))
  }

  @Test("in Crockford's alphabet U, hyphens and blanks are refused", arguments: ["0U", "0u", "0-0", "0 0", "0=", "é0"])
  func crockfordRefuses(text: String) { #expect(Base32.crockfordDecode(text) == nil) }
}
