import Foundation
import Testing

@Suite("Transcripts of the command line")
struct TranscriptTests {
  @Test("the binary says what the transcript says", arguments: try Transcript.all)
  func holds(_ transcript: Transcript) throws {
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    for file in transcript.files {
      let url = directory.appending(path: file.name)
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try file.content.write(to: url, atomically: true, encoding: .utf8)
    }
    for step in transcript.steps {
      let place: Comment = "\(transcript.name):\(step.line)"
      #expect(step.words.first == "gatehouse", place)
      let outcome = try Binary.run(
        Array(step.words.dropFirst()), in: directory, environment: step.environment, input: step.input)
      #expect(outcome.exit == step.exit, place)
      expect(outcome.output, step.output, directory, place)
      expect(outcome.errors, step.errors, directory, place)
    }
  }

  private func expect(_ text: String, _ expected: [String], _ directory: URL, _ place: Comment) {
    // CSV ends its lines with CRLF, which is one character in Swift.
    let plain = text.replacingOccurrences(of: directory.path, with: "$DIR").replacingOccurrences(of: "\r\n", with: "\n")
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
  }
}

/// Lines against expected lines, where `…` stands for any number.
enum Lines {
  static func match(_ lines: ArraySlice<String>, _ expected: ArraySlice<String>) -> Bool {
    guard let first = expected.first else { return lines.isEmpty }
    if first == "…" {
      return (lines.startIndex...lines.endIndex).contains { match(lines[$0...], expected.dropFirst()) }
    }
    guard let line = lines.first, Array(line.utf8) == Array(first.utf8) else { return false }
    return match(lines.dropFirst(), expected.dropFirst())
  }
}
