import Foundation

/// Reads the places of a rule, and finds lines with a refused meaning.
struct WordScan {
  let rule: WordRule
  private let expression: NSRegularExpression

  init(_ rule: WordRule) throws {
    self.rule = rule
    expression = try NSRegularExpression(pattern: rule.refused, options: .anchorsMatchLines)
  }

  /// The lines that the rule refuses, as `file:line: text`, without those of its exceptions.
  func breaches() throws -> [String] {
    try files().filter { !rule.exceptions.contains($0.path) }.flatMap { file in
      lines(of: file.text, at: file.place).filter { isRefused($0.text) }.map { "\(file.path):\($0.number): \($0.text)" }
    }
  }

  /// Exceptions without a refused line: they are to be removed.
  func staleExceptions() throws -> [String] {
    let breaking = try files().filter { file in
      rule.exceptions.contains(file.path) && lines(of: file.text, at: file.place).contains { isRefused($0.text) }
    }.map(\.path)
    return rule.exceptions.subtracting(breaking).sorted()
  }

  /// Whether the rule refuses a line in one of its places.
  func refuses(_ line: String) -> Bool {
    rule.places.contains { place in lines(of: line, at: place).contains { isRefused($0.text) } }
  }

  private func isRefused(_ text: String) -> Bool {
    expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
  }

  private func files() throws -> [(path: String, place: WordRule.Place, text: String)] {
    try rule.places.flatMap { place -> [(path: String, place: WordRule.Place, text: String)] in
      switch place {
      case .documents: try Document.all().map { ($0.path, place, $0.text) }
      case .help: [("docs/cli.md", place, try Self.text("docs/cli.md"))]
      case .comments(let folder), .strings(let folder), .code(let folder), .summaries(let folder):
        try Self.sources(folder).map { ($0, place, try Self.text($0)) }
      }
    }
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOfFile: "\(WallTests.root)/\(path)", encoding: .utf8)
  }

  /// The Swift files of a folder of `Sources`.
  private static func sources(_ folder: String) throws -> [String] {
    let path = folder.isEmpty ? "Sources" : "Sources/\(folder)"
    let names = FileManager.default.enumerator(atPath: "\(WallTests.root)/\(path)")?.allObjects as? [String] ?? []
    return names.filter { $0.hasSuffix(".swift") }.map { "\(path)/\($0)" }.sorted()
  }

  private func lines(of text: String, at place: WordRule.Place) -> [(number: Int, text: String)] {
    if case .documents = place {
      return Document(path: "", text: text).prose.map { ($0.number, Self.withoutCodeSpans($0.text)) }
    }
    // Most files have no refused word: they are not taken apart.
    if case .summaries = place {} else if !isRefused(text) { return [] }
    var lines: [(number: Int, text: String)] = []
    var before = Substring()
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if let part = Self.part(of: line, behind: before, at: place) { lines.append((index + 1, part)) }
      before = line
    }
    return lines
  }

  /// The part of a line that a place reads; nil where it has none.
  private static func part(of line: Substring, behind before: Substring, at place: WordRule.Place) -> String? {
    switch place {
    case .documents, .code: return String(line)
    case .help: return withoutCodeSpans(String(line))
    case .comments: return comment(line).map(withoutCodeSpans)
    case .summaries:
      guard isDocumentation(line), !isDocumentation(before) else { return nil }
      return comment(line)
    case .strings:
      guard line.contains("\"") else { return nil }
      return line.split(separator: "\"", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
        .map(\.element).joined(separator: "\n")
    }
  }

  private static func isDocumentation(_ line: Substring) -> Bool { line.drop { $0 == " " }.hasPrefix("///") }

  /// The text behind `//`; an address such as `https://…` is no comment.
  private static func comment(_ line: Substring) -> String? {
    guard let slashes = line.range(of: "//"),
      slashes.lowerBound == line.startIndex || line[line.index(before: slashes.lowerBound)] == " "
    else { return nil }
    return String(line[slashes.upperBound...].drop { "/ ".contains($0) })
  }

  private static func withoutCodeSpans(_ text: String) -> String {
    guard text.contains("`") else { return text }
    return text.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 0 }
      .map(\.element).joined(separator: " ")
  }
}
