/// One finding about a text, with its place. Errors refuse the text; warnings are lints and only count when strict.
package struct Diagnostic: Sendable, Equatable {
  package enum Severity: String, Sendable { case error, warning }

  /// Another place that belongs to the finding, such as the first of two equal keys.
  package struct Note: Sendable, Equatable {
    package let text: String
    package let line: Int?

    package init(_ text: String, line: Int? = nil) {
      self.text = text
      self.line = line
    }
  }

  package let severity: Severity
  package let code: DiagnosticCode
  package let message: String
  package let range: SourceRange
  package let notes: [Note]

  package init(
    _ code: DiagnosticCode, _ message: String, at range: SourceRange, notes: [Note] = [],
    severity: Severity = .error
  ) {
    self.severity = severity
    self.code = code
    self.message = message
    self.range = range
    self.notes = notes
  }
}

/// Collects findings while a document is read. A shared sink, so that a reader can be a tree of small values.
/// Not Sendable: one sink belongs to one reading.
package final class Diagnostics {
  /// More than this many findings help nobody; the rest is counted, not kept.
  package static let limit = 200

  package private(set) var found: [Diagnostic] = []
  package private(set) var dropped = 0
  /// A list or map has more members than its shape allows: nothing that walks through it is bounded any more.
  package internal(set) var hasTooMany = false

  package init() {}

  package func add(_ diagnostic: Diagnostic) {
    if found.count < Diagnostics.limit { found.append(diagnostic) } else { dropped += 1 }
  }

  /// `notes` are made only for a finding that is kept: a suggestion costs as much as everything else about it.
  package func error(
    _ code: DiagnosticCode, _ message: String, at range: SourceRange,
    notes: @autoclosure () -> [Diagnostic.Note] = []
  ) {
    let isKept = found.count < Diagnostics.limit  // GUARD: policy file: suggestions for kept findings alone
    add(Diagnostic(code, message, at: range, notes: isKept ? notes() : []))
  }

  package func warning(
    _ code: DiagnosticCode, _ message: String, at range: SourceRange, notes: [Diagnostic.Note] = []
  ) {
    add(Diagnostic(code, message, at: range, notes: notes, severity: .warning))
  }

  package var hasErrors: Bool { found.contains { $0.severity == .error } }

  /// All findings in the order of the text.
  package var sorted: [Diagnostic] {
    found.enumerated().sorted { left, right in
      (left.element.range.start, left.offset) < (right.element.range.start, right.offset)
    }.map(\.element)
  }
}
