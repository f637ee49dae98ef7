/// A rule or setting that makes a test fail, with its line.
package struct TestCause: Sendable, Hashable, CustomStringConvertible {
  package let name: String
  package let line: Int

  package var description: String { "\(name) (line \(line))" }
}

/// The failed tests of a file, and for each the cause that it shares with most others.
///
/// One edit of a policy may fail hundreds of tests: the first are shown in full, the rest is counted by cause.
package struct FailedTests: Sendable {
  /// How many findings are shown in full.
  package static let inFull = 5
  /// How many causes are named for the rest.
  private static let named = 5

  /// The finding of each failed test, in the order of the file.
  package let findings: [Diagnostic]
  /// The cause of each finding; nil where no line of the policy accounts for it.
  package let causes: [TestCause?]
  private let codes: Set<DiagnosticCode>

  package init(_ results: [TestResult]) {
    findings = results.compactMap(\.diagnostic)
    codes = Set(findings.map(\.code))
    let candidates = findings.map(\.causes)
    var counts: [TestCause: Int] = [:]
    for cause in candidates.joined() { counts[cause, default: 0] += 1 }
    causes = candidates.map { causes in
      // Of equals the first, which is the nearest.
      causes.reduce(nil) { best, cause in
        (counts[cause] ?? 0) > (best.flatMap { counts[$0] } ?? 0) ? cause : best
      }
    }
  }

  /// Whether a finding is about a failed test.
  func holds(_ finding: Diagnostic) -> Bool { codes.contains(finding.code) }

  /// `34 more, all because of password.min8 (line 14)`; nil where all are shown in full.
  package var rest: String? {
    let rest = causes.dropFirst(Self.inFull)
    guard !rest.isEmpty else { return nil }
    var counts: [TestCause: Int] = [:]
    for cause in rest { if let cause { counts[cause, default: 0] += 1 } }
    let sorted = counts.sorted { ($1.value, $0.key.line, $0.key.name) < ($0.value, $1.key.line, $1.key.name) }
    if let only = sorted.first, only.value == rest.count {
      return "\(rest.count) more, \(rest.count == 1 ? "" : "all ")because of \(only.key)"
    }
    guard !sorted.isEmpty else { return "\(rest.count) more, for other reasons" }
    var parts = sorted.prefix(Self.named).map { "\($0.value) because of \($0.key)" }
    let others = rest.count - sorted.prefix(Self.named).reduce(0) { $0 + $1.value }
    if others > 0 { parts.append("\(others) for other reasons") }
    return "\(rest.count) more: " + parts.joined(separator: ", ")
  }
}

extension Diagnostic {
  /// The rules and settings that it names with their lines, the nearest first.
  fileprivate var causes: [TestCause] {
    notes.compactMap { note in
      guard let name = note.subject, let line = note.line else { return nil }
      return TestCause(name: name, line: line)
    }
  }
}
