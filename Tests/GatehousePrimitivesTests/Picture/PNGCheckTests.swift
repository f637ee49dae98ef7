import Foundation
import GatehouseTesting
import Testing

@testable import GatehousePrimitives

@Suite("What is taken as a PNG") struct PNGCheckTests {
  private func problem(_ bytes: [UInt8]) -> String? { SVGCheckTests.problem(bytes)?.reason }

  @Test("each form of pixels is", arguments: [(8, 6), (8, 2), (16, 2), (1, 0), (16, 4)] as [(UInt8, UInt8)])
  func good(_ depth: UInt8, _ colour: UInt8) throws {
    #expect(try PictureCheck.kind(of: TestPNG(depth: depth, colour: colour).bytes) == .png)
  }

  @Test("a palette and chunks that may be skipped are no matter")
  func chunks() throws {
    let palette = TestPNG(depth: 8, colour: 3, chunks: [("tEXt", Array("Title\0a".utf8)), ("PLTE", [0, 0, 0])])
    #expect(try PictureCheck.kind(of: palette.bytes) == .png)
  }

  @Test(
    "16 to 1024 pixels a side are, and no others", arguments: [(16, 1024, true), (15, 64, false), (64, 1025, false)])
  func sides(_ width: UInt32, _ height: UInt32, _ isTaken: Bool) {
    let problem = problem(TestPNG(width: width, height: height).bytes)
    #expect((problem == nil) == isTaken)
    #expect(isTaken || problem?.contains("pixels") == true)
  }

  @Test("nothing stands behind the end")
  func behind() { #expect(problem(TestPNG().bytes + Array("<script>".utf8))?.contains("8 bytes follow") == true) }

  @Test("each byte that is missing at the end is noticed")
  func cut() {
    let whole = TestPNG().bytes
    for count in 8..<whole.count { #expect(problem(Array(whole.prefix(count))) != nil, "\(count)") }
  }

  @Test("what is changed anywhere is refused")
  func changed() {
    let whole = TestPNG().bytes
    for index in whole.indices {
      var bytes = whole
      bytes[index] ^= 0x10
      #expect(problem(bytes) != nil, "\(index)")
    }
  }

  static let wrong: [(png: TestPNG, word: String)] = [
    (TestPNG(chunks: [("acTL", [0, 0, 0, 2, 0, 0, 0, 0])]), "animated"), (TestPNG(chunks: [("ABCD", [])]), "ABCD"),
    (TestPNG(colour: 3), "palette"), (TestPNG(colour: 3, chunks: [("PLTE", [1, 2])]), "palette"),
    (TestPNG(chunks: [("IEND", [])]), "no pixels"), (TestPNG(depth: 3), "header"), (TestPNG(colour: 5), "header"),
    (TestPNG(interlace: 2), "header"), (TestPNG(chunks: [("IDAT", [1]), ("tEXt", [])]), "two parts"),
    (TestPNG(chunks: [("IHDR", [UInt8](repeating: 0, count: 13))]), "IHDR"),
  ]

  @Test("what no PNG has is refused", arguments: wrong)
  func bad(_ png: TestPNG, _ word: String) {
    #expect(problem(png.bytes)?.contains(word) == true, "\(problem(png.bytes) ?? "")")
  }

  @Test("32,768 bytes are taken, and not one more; nothing is no picture, and neither is another format")
  func size() throws {
    let filled = TestPNG(chunks: [("tEXt", [UInt8](repeating: 0x61, count: 32_768 - TestPNG().bytes.count - 12))])
    #expect(filled.bytes.count == 32_768)
    #expect(try PictureCheck.kind(of: filled.bytes) == .png)
    let more = TestPNG(chunks: [("tEXt", [UInt8](repeating: 0x61, count: 32_768 - TestPNG().bytes.count - 11))])
    #expect(problem(more.bytes)?.contains("more than 32768 bytes") == true)
    #expect(problem([])?.contains("empty") == true)
    for other in ["GIF89a", "\u{FF}\u{D8}", "PK", "text"] {
      #expect(problem(Array(other.utf8))?.contains("neither") == true)
    }
  }
}

/// A PNG as a test wants it: one colour, and further chunks behind the header.
struct TestPNG: Sendable {
  var width: UInt32 = 16
  var height: UInt32 = 16
  var depth: UInt8 = 8
  var colour: UInt8 = 6
  var interlace: UInt8 = 0
  var chunks: [(String, [UInt8])] = []

  /// The pixels are not looked at: a stream of zlib that is stored and empty stands for them.
  var bytes: [UInt8] {
    let header = Self.number(width) + Self.number(height) + [depth, colour, 0, 0, interlace]
    let pixels: [UInt8] = [0x78, 0x01, 0x01, 0, 0, 0xFF, 0xFF, 0, 0, 0, 1]
    let all = [("IHDR", header)] + chunks + [("IDAT", pixels), ("IEND", [])]
    return PNGCheck.signature + all.flatMap { Self.chunk($0, $1) }
  }

  private static func number(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + data
    return number(UInt32(data.count)) + body + number(checksum(body))
  }

  /// Bit by bit, as ISO 3309 has it.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var state = UInt32.max
    for byte in bytes {
      state ^= UInt32(byte)
      for _ in 0..<8 { state = state & 1 == 1 ? state >> 1 ^ 0xEDB8_8320 : state >> 1 }
    }
    return ~state
  }
}
