package import Foundation
package import GatehousePolicy

/// One report about a policy file: read, tests, lints.
package struct PolicyCheck: Sendable {
  package let document: Document
  /// Nil where the file could not be read.
  package let file: PolicyFile?
  package let results: [TestResult]
  /// The answers to the statements of `always`; none where the report was made elsewhere.
  package let answers: [ProofAnswer]
  /// Errors of reading, failed tests and lints, in the order of the text.
  package let diagnostics: [Diagnostic]

  /// A report that was made elsewhere about this text.
  package init(
    _ bytes: [UInt8], name: String, results: [TestResult], diagnostics: [Diagnostic]
  ) {
    switch PolicyFile.read(bytes, name: name) {
    case .failure(let refusal): (document, file) = (refusal.document, nil)
    case .success(let read): (document, file) = (read.document, read)
    }
    self.results = results
    self.diagnostics = diagnostics
    answers = []
  }

  /// The report of a text of which no policy can be made.
  package init(_ refusal: PolicyFileRefusal) {
    self.init(document: refusal.document, file: nil, results: [], answers: [], diagnostics: refusal.diagnostics)
  }

  init(
    document: Document, file: PolicyFile?, results: [TestResult], answers: [ProofAnswer], diagnostics: [Diagnostic]
  ) {
    self.document = document
    self.file = file
    self.results = results
    self.answers = answers
    self.diagnostics = diagnostics
  }

  /// Whether the file may go live. Lints only count when `strict`.
  package func isGood(strict: Bool = false) -> Bool {
    strict ? diagnostics.isEmpty : !diagnostics.contains { $0.severity == .error }
  }

  /// Tests in the file that fail, and statements that are refuted.
  package var failingTests: Int { results.count { $0.diagnostic?.severity == .error } + refutedStatements }

  /// Statements of the file that do not hold.
  package var refutedStatements: Int { diagnostics.count { $0.code == .statementRefuted } }

  /// The errors that keep the file from going live, failing tests and refuted statements left out.
  package var refusals: [Diagnostic] {
    let tests = failedTests
    return diagnostics.filter { $0.severity == .error && !tests.holds($0) && $0.code != .statementRefuted }
  }

  /// The tests that fail, and what they fail for.
  package var failedTests: FailedTests { FailedTests(results) }

  /// The report as text, with lines and carets; empty where there is nothing to say. Of many failed tests the first are
  /// shown, and the rest is counted by what it fails for.
  package func text(colours: Rendering.Colours = .none) -> String {
    let rendering = Rendering(name: document.name, lines: document.lines, colours: colours)
    let failed = failedTests
    guard let rest = failed.rest else { return rendering.text(diagnostics) }
    var parts: [String] = []
    var shown = 0
    for finding in diagnostics {
      if failed.holds(finding) {
        shown += 1
        guard shown <= FailedTests.inFull else { continue }
      }
      parts.append(rendering.text(finding))
      if shown == FailedTests.inFull, failed.holds(finding) { parts.append(rest + "\n") }
    }
    return parts.joined(separator: "\n")
  }

  /// The report as values for JSON.
  package var records: [DiagnosticRecord] { diagnostics.map { DiagnosticRecord($0, file: document.name) } }
}

extension PolicyCheck {
  /// Reads a file and judges its statements alone. Offline.
  /// - Parameters:
  ///   - source: Lists and libraries the rules ask.
  ///   - names: The statements to judge; empty: all.
  ///   - now: No earlier day is looked at.
  ///   - baseline: The revision that a statement compares the file with; nil where it is not here.
  package static func prove(
    _ bytes: [UInt8], name: String, using source: some FactSource, only names: [String] = [], now: Date,
    baseline: (Statement.Baseline) -> PolicyFile?
  ) -> PolicyCheck {
    switch PolicyFile.read(bytes, name: name) {
    case .failure(let refusal): return PolicyCheck(refusal)
    case .success(let file):
      let answers = Prover.answers(
        file, using: source, only: names, now: now, work: ProofBudget.ofProve, baseline: baseline)
      let sink = Diagnostics()
      for answer in answers { answer.diagnostic.map(sink.add) }
      return PolicyCheck(
        document: file.document, file: file, results: [], answers: answers, diagnostics: sink.sorted)
    }
  }

  /// Reads a file, runs its tests and its lints. Offline.
  /// - Parameters:
  ///   - source: Lists and libraries the rules ask.
  ///   - floor: The operator's bounds, if there are any.
  ///   - live: The live revision, which the file may be as far below the floor as; nil where it is not here.
  ///   - senders: Who mails may come from; nil where no server is asked.
  ///   - now: For lints about dates, and for statements, which look at no earlier day; tests never depend on the day
  ///     they run.
  ///   - baseline: The revision that a statement compares the file with; nil where it is not here.
  package static func check(
    _ bytes: [UInt8], name: String, using source: some FactSource, floor: Floor? = nil, live: PolicyFile? = nil,
    senders: AllowedSenders? = nil, now: Date, baseline: (Statement.Baseline) -> PolicyFile? = { _ in nil }
  ) -> PolicyCheck {
    switch PolicyFile.read(bytes, name: name) {
    case .failure(let refusal): return PolicyCheck(refusal)
    case .success(let file):
      let sink = Diagnostics()
      let results = PolicyTests.run(file, using: source)
      // GUARD: apply: a file whose tests fail
      for result in results { result.diagnostic.map(sink.add) }
      let answers = Prover.answers(file, using: source, now: now, baseline: baseline)
      // GUARD: apply: a file whose statements are refuted
      for answer in answers { answer.diagnostic.map(sink.add) }
      // GUARD: floor: at apply
      floor?.judge(file, beside: live, into: sink)
      floor?.judgeStatements(of: file, beside: live, using: source, now: now, into: sink)
      senders?.judge(file, into: sink)
      Lints.run(file, now: now, into: sink)
      return PolicyCheck(
        document: file.document, file: file, results: results, answers: answers, diagnostics: sink.sorted)
    }
  }
}
