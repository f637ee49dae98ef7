import Foundation
import GatehousePolicy
import GatehousePolicyFile
import Testing

/// A text and exactly what is said about it.
struct Golden: Sendable {
  let code: DiagnosticCode
  let text: String
  let rendered: String

  init(_ code: DiagnosticCode, _ text: String, _ rendered: String) {
    self.code = code
    self.text = text
    self.rendered = rendered
  }
}

@Suite("What a finding says")
struct GoldenTests {
  static let all =
    GoldenText.cases + GoldenScalars.cases + GoldenMeaning.cases + GoldenReferences.cases + GoldenLints.cases
    + GoldenLaterLints.cases + GoldenPasskeyLints.cases
    + GoldenInFileTests.cases

  @Test("place, code, line, caret and help are these, to the letter", arguments: all.indices)
  func rendered(index: Int) {
    let golden = Self.all[index]
    let report = PolicyCheck.check(
      Array(golden.text.utf8), name: "acme.yaml", using: SmallLists(), now: date("2026-11-20"))
    #expect(report.text() == golden.rendered, "\(report.text())")
    #expect(report.diagnostics.contains { $0.code == golden.code })
  }

  @Test("every code of the catalogue has a text here, or a test of its own")
  func complete() {
    // Two can not be written down as text, NastyFilesTests has them; the floor is in another file, see FloorTests. For
    // statements see ProofTests.
    let elsewhere: Set<DiagnosticCode> = [
      .encoding, .tooLarge, .belowFloor, .senderNotAllowed, .statementRefuted, .statementUndecided, .badStatement,
    ]
    let shown = Set(Self.all.map(\.code)).union(elsewhere)
    #expect(DiagnosticCode.allCases.filter { !shown.contains($0) } == [])
  }
}
