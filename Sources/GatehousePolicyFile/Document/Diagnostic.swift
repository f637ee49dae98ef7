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

    /// A rule or setting that the finding comes from, with its line.
    static func standing(_ subject: String, line: Int, _ verdict: String = "") -> Note {
      Note(subject + standing(on: line) + verdict, line: line)
    }

    /// The rule or setting of a note that `standing` made; nil for any other note.
    var subject: String? {
      guard let line, let place = text.firstRange(of: Note.standing(on: line)) else { return nil }
      return String(text[..<place.lowerBound])
    }

    private static func standing(on line: Int) -> String { " stands on line \(line)" }
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
