/// Findings as workflow commands of GitHub Actions: each shows beside its line in the review of a change.
package enum Annotations {
  /// One line per finding.
  package static func text(_ checks: [PolicyCheck]) -> String {
    checks.flatMap { check in check.diagnostics.map { line($0, file: check.document.name) } }.joined()
  }

  private static func line(_ finding: Diagnostic, file: String) -> String {
    let range = finding.range
    var properties = [
      ("file", file), ("line", "\(range.start.line)"), ("endLine", "\(range.end.line)"),
    ]
    // Columns only have a meaning within one line.
    if range.start.line == range.end.line {
      properties += [("col", "\(range.start.column)"), ("endColumn", "\(range.end.column)")]
    }
    properties.append(("title", "\(finding.code.rawValue) \(finding.code.title)"))
    let written = properties.map { "\($0.0)=\(escaped($0.1, inProperty: true))" }.joined(separator: ",")
    let message = ([finding.message] + finding.notes.map(\.text)).joined(separator: "\n")
    return "::\(finding.severity.rawValue) \(written)::\(escaped(message, inProperty: false))\n"
  }

  /// Text with percent escapes for the characters that end a line or a property.
  private static func escaped(_ text: String, inProperty: Bool) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "%": result += "%25"
      case "\r": result += "%0D"
      case "\n": result += "%0A"
      case ":" where inProperty: result += "%3A"
      case "," where inProperty: result += "%2C"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
