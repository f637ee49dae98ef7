import GatehousePolicy

/// Findings in the Static Analysis Results Interchange Format (SARIF 2.1.0, OASIS), for code scanning.
package enum SARIF {
  /// One run over some files.
  /// - Parameter version: The version of the program that looked.
  package static func log(_ checks: [PolicyCheck], version: String) -> String {
    let codes = Set(checks.flatMap { $0.diagnostics.map(\.code) }).sorted { $0.rawValue < $1.rawValue }
    let locations = Dictionary(uniqueKeysWithValues: codes.enumerated().map { ($1, $0) })
    let results = checks.flatMap { check in
      check.diagnostics.map { result($0, file: check.document.name, index: locations[$0.code] ?? -1) }
    }
    let driver: JSONText = .object([
      ("name", .string("gatehouse policy check")), ("semanticVersion", .string(version)),
      ("rules", .array(codes.map(rule))),
    ])
    let run: JSONText = .object([
      ("tool", .object([("driver", driver)])), ("columnKind", .string("unicodeCodePoints")),
      ("results", .array(results)),
    ])
    let log: JSONText = .object([
      ("$schema", .string("https://json.schemastore.org/sarif-2.1.0.json")), ("version", .string("2.1.0")),
      ("runs", .array([run])),
    ])
    return log.text(indent: 2) + "\n"
  }

  private static func rule(_ code: DiagnosticCode) -> JSONText {
    .object([
      ("id", .string(code.rawValue)), ("name", .string("\(code)")), ("shortDescription", message(code.title)),
      ("fullDescription", message(code.explanation)),
      ("help", message(CodeExample.of(code).map { "\(code.explanation) \($0.fix)" } ?? code.explanation)),
      ("defaultConfiguration", .object([("level", .string(code.isLint ? "warning" : "error"))])),
    ])
  }

  private static func result(_ finding: Diagnostic, file: String, index: Int) -> JSONText {
    let notes = finding.notes.map(\.text)
    let related = finding.notes.compactMap { note -> JSONText? in
      guard let line = note.line else { return nil }
      return .object([
        ("physicalLocation", location(file, [("startLine", .integer(Int64(line)))])), ("message", message(note.text)),
      ])
    }
    var members: [(String, JSONText)] = [
      ("ruleId", .string(finding.code.rawValue)), ("ruleIndex", .integer(Int64(index))),
      ("level", .string(finding.severity.rawValue)),
      ("message", message(([finding.message] + notes).joined(separator: "\n"))),
      ("locations", .array([.object([("physicalLocation", location(file, region(finding.range)))])])),
    ]
    if !related.isEmpty { members.append(("relatedLocations", .array(related))) }
    return .object(members)
  }

  private static func region(_ range: SourceRange) -> [(String, JSONText)] {
    [
      ("startLine", .integer(Int64(range.start.line))), ("startColumn", .integer(Int64(range.start.column))),
      ("endLine", .integer(Int64(range.end.line))), ("endColumn", .integer(Int64(range.end.column))),
    ]
  }

  private static func location(_ file: String, _ region: [(String, JSONText)]) -> JSONText {
    .object([("artifactLocation", .object([("uri", .string(uri(file)))])), ("region", .object(region))])
  }

  private static func message(_ text: String) -> JSONText { .object([("text", .string(text))]) }

  /// A path as a relative reference (RFC 3986, 4.2).
  static func uri(_ path: String) -> String {
    let encoded = path.utf8.map { byte -> String in
      let isPlain =
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "-._~/".utf8.contains(byte)
        }
      guard !isPlain else { return String(decoding: [byte], as: UTF8.self) }
      return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
    return encoded.joined()
  }
}

extension DiagnosticCode {
  /// Whether the code is a lint: a finding in a policy that can be used.
  package var isLint: Bool { rawValue.hasPrefix("P03") }
}
