/// Turns findings into text for people and into values for JSON.
package struct Rendering: Sendable {
  /// Terminal colours, chosen by the caller; `none` gives plain text.
  package struct Colours: Sendable {
    let error: String
    let warning: String
    let dim: String
    let reset: String

    package static let none = Colours(error: "", warning: "", dim: "", reset: "")
    package static let ansi = Colours(
      error: "\u{1B}[1;31m", warning: "\u{1B}[1;33m", dim: "\u{1B}[2m", reset: "\u{1B}[0m")
  }

  /// How much of a very long line is shown.
  private static let width = 110

  private let name: String
  private let lines: [String]
  private let colours: Colours

  package init(name: String, lines: [String], colours: Colours = .none) {
    self.name = name
    self.lines = lines
    self.colours = colours
  }

  /// All findings, a blank line between two.
  package func text(_ diagnostics: [Diagnostic]) -> String {
    diagnostics.map(text).joined(separator: "\n")
  }

  /// One finding: place, code and message; the line with a caret; notes. Ends with a line feed.
  package func text(_ diagnostic: Diagnostic) -> String {
    let start = diagnostic.range.start
    let tint = diagnostic.severity == .error ? colours.error : colours.warning
    let head = "\(diagnostic.severity.rawValue)[\(diagnostic.code.rawValue)]"
    var result = "\(name):\(start.line):\(start.column): \(tint)\(head)\(colours.reset): \(diagnostic.message)\n"
    result += excerpt(diagnostic.range, hidden: diagnostic.code == .secretInFile)
    for note in diagnostic.notes { result += "      \(colours.dim)=\(colours.reset) \(note.text)\n" }
    return result
  }

  /// The line of a finding with a caret below it; nothing where the text has no such line.
  /// - Parameter hidden: The marked text is a secret and is not repeated, since findings end up in logs.
  private func excerpt(_ range: SourceRange, hidden: Bool) -> String {
    guard lines.indices.contains(range.start.line - 1) else { return "" }
    var line = Array(lines[range.start.line - 1].unicodeScalars)
    let column = min(range.start.column - 1, line.count)
    let end = range.end.line == range.start.line ? min(range.end.column - 1, line.count) : line.count
    if hidden { for index in column..<max(column, end) { line[index] = "*" } }
    let first = column > Rendering.width - 20 ? column - 40 : 0
    let last = min(line.count, first + Rendering.width)
    let shown = String(String.UnicodeScalarView(line[first..<last].map { Rendering.visible($0) }))
    let lead = first > 0 ? "…" : ""
    let tail = last < line.count ? "…" : ""
    let pad = String(repeating: " ", count: column - first + lead.unicodeScalars.count)
    let marks = "^" + String(repeating: "~", count: max(0, min(end, last) - column - 1))
    let number = String(range.start.line)
    let gutter = String(repeating: " ", count: max(0, 5 - number.utf8.count))
    return """
      \(colours.dim)\(gutter)\(number) |\(colours.reset) \(lead)\(shown)\(tail)
      \(colours.dim)      |\(colours.reset) \(pad)\(marks)

      """
  }

  private static func visible(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    Characters.problem(scalar) == nil ? scalar : "\u{FFFD}"
  }
}

/// A finding as a value with stable names, for JSON.
package struct DiagnosticRecord: Sendable, Codable, Equatable {
  package let file: String
  package let line: Int
  package let column: Int
  package let endLine: Int
  package let endColumn: Int
  package let severity: String
  package let code: String
  package let title: String
  package let message: String
  package let notes: [String]

  package init(_ diagnostic: Diagnostic, file: String) {
    self.file = file
    line = diagnostic.range.start.line
    column = diagnostic.range.start.column
    endLine = diagnostic.range.end.line
    endColumn = diagnostic.range.end.column
    severity = diagnostic.severity.rawValue
    code = diagnostic.code.rawValue
    title = diagnostic.code.title
    message = diagnostic.message
    notes = diagnostic.notes.map(\.text)
  }

  enum CodingKeys: String, CodingKey {
    case file, line, column, severity, code, title, message, notes
    case endLine = "end_line"
    case endColumn = "end_column"
  }
}
