import Testing

@testable import GatehousePrimitives

@Suite("Recovery codes") struct RecoveryCodeTests {
  @Test("a code has 120 random bits: every bit is set in some code and clear in another")
  func entropy() {
    let codes = (0..<200).map { _ in RecoveryCode.make().bytes }
    for place in 0..<15 {
      #expect(codes.reduce(0) { $0 | $1[place] } == 255 && codes.reduce(255) { $0 & $1[place] } == 0)
    }
    #expect(Set(codes).count == 200 && codes.allSatisfy { $0.count == 15 })
  }

  @Test("a code is shown as six groups of four characters that people tell apart")
  func shown() {
    let shown = RecoveryCode.make().shown
    #expect(shown.wholeMatch(of: /([0-9A-HJKMNP-TV-Z]{4}-){5}[0-9A-HJKMNP-TV-Z]{4}/) != nil, "\(shown)")
  }

  @Test("its characters are the same code, in either case and with look-alikes")
  func spellings() throws {
    let plain = try #require(RecoveryCode(characters: "0123456789ABCDEFGHJKMNPQ"))
    for spelling in ["0123456789abcdefghjkmnpq", "O123456789ABCDEFGHJKMNPQ", "oL23456789ABCDEFGHJKMNPQ"] {
      #expect(RecoveryCode(characters: spelling)?.bytes == plain.bytes)
    }
  }

  @Test(
    "another text is no code",
    arguments: [
      "", "0123456789ABCDEFGHJKMNP", "0123456789ABCDEFGHJKMNPQR", "0123-4567-89AB-CDEF-GHJK",
      "U123456789ABCDEFGHJKMNPQ",
      "é23456789ABCDEFGHJKMNPQ1", "0123456789ABCDEFGHJKMNP ",
    ])
  func refused(text: String) { #expect(RecoveryCode(characters: text) == nil) }

  @Test("printing a code shows nothing of it")
  func hidden() {
    let code = RecoveryCode.make()
    var dumped = ""
    dump(code, to: &dumped)
    #expect("\(code) \(String(reflecting: code))" == "RecoveryCode(…) RecoveryCode(…)")
    #expect(!dumped.contains(code.shown) && !dumped.contains(String(code.bytes[0])))
  }
}
