import Foundation
import GatehousePolicyFile
import Testing

@Suite("policy explain")
struct ExplainTests {
  private func check(_ bytes: [UInt8]) -> PolicyCheck {
    let floor = try? Floor.read(
      Array("schema: gatehouse/floor.v1\nsessions: {access_token_ttl: 1h}".utf8), name: "floor.yaml"
    ).get()
    return PolicyCheck.check(
      bytes, name: "acme.yaml", using: SmallLists(), floor: floor,
      senders: AllowedSenders(own: "no-reply@auth.example.com"), now: date("2026-11-20"))
  }

  @Test("every code has an example whose wrong text has the finding", arguments: DiagnosticCode.allCases)
  func wrong(code: DiagnosticCode) throws {
    let example = try #require(CodeExample.of(code))
    let report = check(example.wrongFile)
    #expect(report.diagnostics.contains { $0.code == code }, "\(report.text())")
    #expect(report.diagnostics.allSatisfy { $0.code == code }, "one thing is wrong at a time: \(report.text())")
    #expect(report.isGood() == code.isLint)
  }

  @Test("every right text has nothing wrong with it, lints included", arguments: DiagnosticCode.allCases)
  func right(code: DiagnosticCode) throws {
    let report = check(try #require(CodeExample.of(code)).rightFile)
    #expect(report.isGood(strict: true), "\(report.text())")
  }

  @Test("every explanation has its parts, fits a terminal and shows no invisible character")
  func explanation() {
    for example in CodeExample.all {
      let text = example.explanation(width: 100)
      #expect(text.hasPrefix("\(example.code.rawValue): "))
      for part in ["\nWrong:\n\n", "\nRight:\n\n", "\nHow to fix it:\n\n"] { #expect(text.contains(part)) }
      #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || ($0.value >= 0x20 && !(0x7F...0x9F).contains($0.value)) })
      #expect(!text.unicodeScalars.contains("\u{202E}"))
      // Examples are as long as they are; prose is wrapped.
      for line in text.split(separator: "\n") where !line.hasPrefix("    ") { #expect(line.count <= 100, "\(line)") }
    }
    #expect(Set(CodeExample.all.map(\.code)).count == DiagnosticCode.allCases.count)
    #expect(CodeExample.all.count == DiagnosticCode.allCases.count)
  }
}
