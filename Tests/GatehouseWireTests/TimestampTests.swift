import Foundation
import GatehousePolicy
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("Moments in the API")
struct TimestampTests {
  @Test(
    "a moment is written in UTC with whole seconds, and read back",
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (951_782_400, "2000-02-29T00:00:00Z"), (1_795_168_800, "2026-11-20T10:00:00Z"),
      (-1, "1969-12-31T23:59:59Z"), (4_102_444_799, "2099-12-31T23:59:59Z"),
    ] as [(Int64, String)])
  func roundTrip(seconds: Int64, text: String) {
    #expect(Timestamp(seconds: seconds).description == text)
    #expect(Timestamp(text)?.seconds == seconds)
  }

  @Test(
    "no other text is a moment",
    arguments: [
      "", "2026-11-20", "2026-11-20T10:00:00", "2026-11-20 10:00:00Z", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z",
      "2026-11-20T24:00:00Z", "2026-11-20T10:60:00Z", "2026-11-20T10:00:00.5Z", "2026-11-20T10:00:00+01:00",
      "２０２６-11-20T10:00:00Z",
    ])
  func refused(text: String) { #expect(Timestamp(text) == nil) }

  @Test("any day agrees with Foundation's calendar")
  func calendar() {
    var random = SeededGenerator()
    let formatter = ISO8601DateFormatter()
    for _ in 0..<500 {
      let seconds = Int64.random(in: -2_000_000_000...20_000_000_000, using: &random)
      let date = Date(timeIntervalSince1970: TimeInterval(seconds))
      #expect(Timestamp(seconds: seconds).description == formatter.string(from: date), "seed \(SeededGenerator.seed)")
    }
  }
}

@Suite("Reasons for a refusal")
struct ErrorCodeTests {
  @Test("every code has a status of its kind and a text in every language", arguments: ErrorCode.allCases)
  func complete(code: ErrorCode) {
    #expect((400...599).contains(code.status))
    let texts = Language.allCases.map { code.entry.title[$0] }
    #expect(Set(texts).count == texts.count && !texts.contains(""), "\(texts)")
    #expect(code.rawValue.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x5F })
  }
}
