import Foundation
import Testing

/// There is one cleaner of typed text, `TypedText`, and one table of code points, `CodePoints.swift`.
@Suite("One cleaner of typed text")
struct OneCleanerTests {
  private static let words = ["trimmingCharacters", "isWhitespace", "isDefaultIgnorableCodePoint", "0x200B"].map {
    Array($0.utf8)
  }

  /// Where such a word stands for something else than typed text.
  private static let others = [
    "GatehouseOutbound/Admin/AdminConnection.swift": "values of HTTP fields (RFC 9110)"
  ]

  static func isSecondWay(_ line: some StringProtocol) -> Bool {
    let code = Array(line.utf8)
    return words.contains { code.firstRange(of: $0) != nil }
  }

  @Test("no file beside the cleaner asks what is white space or shows nothing")
  func one() throws {
    var found: Set<String> = []
    for room in WallTests.walls.keys {
      for line in try WallTests.lines(of: room) where Self.isSecondWay(line.text) {
        found.insert(String(line.file.dropFirst("Sources/".count)))
      }
    }
    let allowed = Set(Self.others.keys)
    #expect(found.filter { !$0.hasPrefix("GatehousePolicy/Typed/") } == allowed)
  }

  @Test(
    "the scan sees a second way",
    arguments: [
      ("text.trimmingCharacters(in: .whitespaces)", true), ("code.filter { !$0.isWhitespace }", true),
      ("TypedText.trimmed(text)", false), ("trimmed(line)", false),
    ])
  func control(line: String, isSecond: Bool) { #expect(Self.isSecondWay(line) == isSecond) }
}
