import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Transcripts of the command line")
struct TranscriptTests {
  @Test("the binary says what the transcript says", arguments: try Transcript.all)
  func holds(_ transcript: Transcript) async throws {
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let database: TestDatabase? =
      switch transcript.database {
      case .migrated: try await TestDatabase.make()
      case .bare: try await TestDatabase.makeBare()
      case nil: nil
      }
    let surroundings = try database.map { try Binary.environment($0, in: directory) } ?? [:]
    for file in transcript.files {
      let url = directory.appending(path: file.name)
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try file.content.write(to: url, atomically: true, encoding: .utf8)
    }
    var captured: [(String, String)] = []
    for step in transcript.steps {
      let place: Comment = "\(transcript.name):\(step.line)"
      #expect(step.words.first == "gatehouse", place)
      let words = step.words.dropFirst().map { word in
        captured.reduce(word.replacing("$DATABASE", with: database?.name ?? "")) { $0.replacing($1.1, with: $1.0) }
      }
      let outcome = try Binary.run(
        words, in: directory, environment: surroundings.merging(step.environment) { $1 }, input: step.input)
      // What `db roles` prints is run as the operator would.
      if step.words.starts(with: ["gatehouse", "db", "roles"]) {
        try await database?.runAsSuperuser(script: outcome.output)
      }
      #expect(outcome.exit == step.exit, place)
      if let (name, member) = step.capture {
        let first = outcome.output.split(separator: "\n").first.map(String.init) ?? ""
        let value = try JSONParser.parse(Array(first.utf8))[member]?.string
        captured.append((try #require(value, place), "$" + name))
      }
      let names = captured + [(directory.path, "$DIR"), (database?.name ?? "$DATABASE", "$DATABASE")]
      expect(outcome.output, step.output, names, place)
      expect(outcome.errors, step.errors, names, place)
    }
    try await database?.drop()
  }

  private func expect(_ text: String, _ expected: [String], _ names: [(String, String)], _ place: Comment) {
    // CSV ends its lines with CRLF, which is one character in Swift.
    var plain = text.replacingOccurrences(of: "\r\n", with: "\n")
    for (value, name) in names { plain = plain.replacing(value, with: name) }
    var lines = plain.components(separatedBy: "\n")
    if lines.last == "" { lines.removeLast() }
    if !Lines.match(lines[...], expected[...]) { #expect(lines == expected, place) }
  }

  @Test("a transcript that says something else fails")
  func negativeControl() {
    #expect(Lines.match(["a", "b", "c"], ["a", "…", "c"]))
    #expect(Lines.match(["a"], ["a", "…"]))
    #expect(!Lines.match(["a", "b"], ["a"]))
    #expect(!Lines.match(["a", "b"], ["…", "c"]))
    #expect(!Lines.match([], ["a"]))
    #expect(Lines.match(["a 17 b"], ["a … b"]))
    #expect(!Lines.match(["a 17 c"], ["a … b"]))
    #expect(!Lines.match(["ab"], ["ab…b"]))
  }
}

/// Lines against expected lines, where a line `…` stands for any number, and `…` inside a line for any text.
enum Lines {
  static func match(_ lines: ArraySlice<String>, _ expected: ArraySlice<String>) -> Bool {
    guard let first = expected.first else { return lines.isEmpty }
    if first == "…" {
      return (lines.startIndex...lines.endIndex).contains { match(lines[$0...], expected.dropFirst()) }
    }
    guard let line = lines.first, fits(line, first) else { return false }
    return match(lines.dropFirst(), expected.dropFirst())
  }

  private static func fits(_ line: String, _ expected: String) -> Bool {
    let parts = expected.components(separatedBy: "…").map { Array($0.utf8) }
    guard parts.count > 1, let first = parts.first, let last = parts.last else {
      return line.utf8.elementsEqual(expected.utf8)
    }
    var rest = Array(line.utf8)[...]
    guard rest.starts(with: first) else { return false }
    rest = rest.dropFirst(first.count)
    for part in parts.dropFirst().dropLast() {
      guard let found = rest.firstRange(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return rest.count >= last.count && rest.suffix(last.count).elementsEqual(last)
  }
}
