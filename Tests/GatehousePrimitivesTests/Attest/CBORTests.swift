import GatehouseTesting
import Testing

@testable import GatehousePrimitives

@Suite("CBOR is read strictly") struct CBORTests {
  /// Hexadecimal, and what it is (examples of RFC 8949, appendix A).
  static let read: [(String, CBORValue)] = [
    ("00", .unsigned(0)), ("17", .unsigned(23)), ("1818", .unsigned(24)), ("1903e8", .unsigned(1000)),
    ("1a000f4240", .unsigned(1_000_000)), ("1bffffffffffffffff", .unsigned(.max)),
    ("20", .negative(0)), ("3863", .negative(99)), ("3bffffffffffffffff", .negative(.max)),
    ("40", .bytes([])), ("4401020304", .bytes([1, 2, 3, 4])), ("60", .text("")), ("62c3bc", .text("ü")),
    ("80", .array([])), ("f4", .boolean(false)), ("f5", .boolean(true)),
    (
      "8301820203820405",
      .array([.unsigned(1), .array([.unsigned(2), .unsigned(3)]), .array([.unsigned(4), .unsigned(5)])])
    ),
    ("a0", .map([])),
    (
      "a201020304",
      .map([.init(key: .unsigned(1), value: .unsigned(2)), .init(key: .unsigned(3), value: .unsigned(4))])
    ),
    (
      "a26161016162820203",
      .map([
        .init(key: .text("a"), value: .unsigned(1)),
        .init(key: .text("b"), value: .array([.unsigned(2), .unsigned(3)])),
      ])
    ),
  ]

  @Test("what it reads", arguments: read.indices) func reads(_ index: Int) throws {
    let (hex, value) = Self.read[index]
    #expect(try CBORParser.parse(#require(Hex.decode(hex))) == value)
  }

  /// Hexadecimal, and why it is refused.
  static let refused: [(String, CBORProblem.Reason)] = [
    ("", .truncated), ("18", .truncated), ("19ff", .truncated), ("41", .truncated), ("6261", .truncated),
    ("8101" + "01", .trailing),
    ("0000", .trailing), ("81", .truncated), ("a101", .truncated), ("a1", .truncated),
    ("5bffffffffffffffff", .truncated), ("9bffffffffffffffff", .truncated), ("bbffffffffffffffff", .truncated),
    ("9a00ffffff00", .truncated), ("5f41014102ff", .indefinite), ("9fff", .indefinite), ("bfff", .indefinite),
    ("7fff", .indefinite),
    ("1800", .notShortest), ("1817", .notShortest), ("190018", .notShortest), ("1900ff", .notShortest),
    ("1a0000ffff", .notShortest),
    ("1b00000000ffffffff", .notShortest), ("580101", .notShortest), ("98010" + "0", .notShortest),
    ("c000", .unsupported), ("d9d9f700", .unsupported), ("f0", .unsupported), ("f6", .unsupported),
    ("f814", .unsupported), ("f8ff", .unsupported), ("a1f400", .badKey),
    ("f7", .unsupported),
    ("f93c00", .unsupported), ("fb3ff0000000000000", .unsupported), ("ff", .unsupported), ("1c", .unsupported),
    ("1e", .unsupported),
    ("61ff", .badText), ("62c080", .badText), ("63eda080", .badText),
    ("a1400" + "0", .badKey), ("a18000", .tooDeep), ("a1a000", .tooDeep),
    ("a201000100", .duplicate), ("a2616100616100", .duplicate), ("a220002000", .duplicate),
    ("818181818181818180", .tooDeep), ("a101a101a101a101a101a101a101a101a0", .tooDeep),
  ]

  @Test("T114 what it refuses", arguments: refused.indices) func refuses(_ index: Int) throws {
    let (hex, reason) = Self.refused[index]
    let bytes = try #require(Hex.decode(hex))
    #expect { try CBORParser.parse(bytes) } throws: { ($0 as? CBORProblem)?.reason == reason }
  }

  @Test("a document of the limit's size is read, one byte more is refused") func size() throws {
    let most = CBORText.bytes([UInt8](repeating: 1, count: 65_533))
    #expect(most.count == 65_536)
    #expect(try CBORParser.parse(most).bytes?.count == 65_533)
    #expect { try CBORParser.parse(most + [0]) } throws: { ($0 as? CBORProblem)?.reason == .tooLarge }
  }

  @Test("eight levels are read, nine are refused") func depth() throws {
    #expect(throws: Never.self) { try CBORParser.parse([UInt8](repeating: 0x81, count: 7) + [0x80]) }
    #expect(throws: CBORProblem.self) { try CBORParser.parse([UInt8](repeating: 0x81, count: 8) + [0x80]) }
  }

  @Test("a member is found by its bytes, and not by an equivalent name") func names() throws {
    let value = try CBORParser.parse(CBORText.map([("e\u{301}", [0x01])]))
    #expect(value["e\u{301}"] == .unsigned(1))
    #expect(value["\u{E9}"] == nil)
  }
}

@Suite("Base64 of either alphabet") struct Base64EitherTests {
  @Test("both alphabets, with padding and without", arguments: ["-_8", "+/8", "-_8=", "+/8=", "+_8"])
  func read(_ text: String) { #expect(Base64URL.decodeEither(text) == [0xFB, 0xFF]) }

  @Test("anything else is refused", arguments: ["-_8==", "-_9", "-_8\n", " -_8", "=", "====", "a", "a===", "-_8=-_8="])
  func refused(_ text: String) { #expect(Base64URL.decodeEither(text) == nil) }

  @Test("the empty text is no bytes") func empty() { #expect(Base64URL.decodeEither("") == []) }
}
