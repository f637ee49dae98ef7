import Foundation
import Testing

/// A document of `docs/` whose sections are tried out: below a heading, edits and sessions in the order of the text.
/// ````
/// ```diff policies/dd-ride.yaml     an edit: lines that go, that come, and that stay
/// ```console                        commands after "$ ", each with what it prints; `…` as in a `Transcript`
/// ````
struct Guide {
  struct Section: CustomTestStringConvertible, Sendable {
    let title: String
    var steps: [Step] = []
    var testDescription: String { title }
  }

  enum Step: Sendable {
    case edit(file: String, old: String, new: String)
    case command(line: Int, text: String, output: [String])
  }

  struct Malformed: Error { let line: Int }

  var sections: [Section] = []

  init(_ text: String) throws {
    var block: (kind: String, lines: [(number: Int, text: String)])?
    for (index, line) in text.components(separatedBy: "\n").enumerated() {
      if let open = block {
        guard line == "```" else {
          block = (open.kind, open.lines + [(index + 1, line)])
          continue
        }
        try add(open.kind, open.lines)
        block = nil
      } else if line.hasPrefix("```") {
        block = (String(line.dropFirst(3)), [])
      } else if line.hasPrefix("## ") {
        sections.append(Section(title: String(line.dropFirst(3))))
      }
    }
    sections.removeAll { $0.steps.isEmpty }
  }

  private mutating func add(_ kind: String, _ lines: [(number: Int, text: String)]) throws {
    guard !sections.isEmpty, let first = lines.first else { throw Malformed(line: lines.first?.number ?? 0) }
    let last = sections.count - 1
    if kind.hasPrefix("diff ") {
      func side(_ mark: Character) -> String {
        lines.filter { $0.text.first == mark || $0.text.first == " " }.map { $0.text.dropFirst() + "\n" }.joined()
      }
      sections[last].steps.append(.edit(file: String(kind.dropFirst(5)), old: side("-"), new: side("+")))
    } else if kind == "console" {
      guard first.text.hasPrefix("$ ") else { throw Malformed(line: first.number) }
      for (number, text) in lines {
        if text.hasPrefix("$ ") {
          sections[last].steps.append(.command(line: number, text: String(text.dropFirst(2)), output: []))
        } else if case .command(let line, let command, let output)? = sections[last].steps.popLast() {
          sections[last].steps.append(.command(line: line, text: command, output: output + [text]))
        }
      }
    }
  }
}

extension Guide {
  private static let pages = NSLock()

  /// Expects that a command prints what a page says. With GATEHOUSE_WRITE_ANSWERS in the environment the page is
  /// written instead: lines that fit stay as they are.
  static func expect(_ printed: [String], from command: String, as expected: [String], on page: String, line: Int)
    throws
  {
    guard !Lines.match(printed[...], expected[...]) else { return }
    guard ProcessInfo.processInfo.environment["GATEHOUSE_WRITE_ANSWERS"] != nil else {
      #expect(printed == expected, "\(page):\(line)")
      return
    }
    // Lines that fit stay, with their marks. Each other one becomes the printed line that begins most like it.
    let amended = expected.map { line in
      line == "…" || printed.contains { Lines.match([$0], [line]) }
        ? line : printed.max { $0.commonPrefix(with: line).count < $1.commonPrefix(with: line).count } ?? line
    }
    let lines = Lines.match(printed[...], amended[...]) ? amended : printed
    func block(_ lines: [String]) -> String { (["$ " + command] + lines).map { $0 + "\n" }.joined() }
    try pages.withLock {
      try edit(ConfigTests.root.appending(path: page), from: block(expected), to: block(lines))
    }
  }

  /// Makes an edit in a file, which has what the edit replaces once.
  static func edit(_ file: URL, from old: String, to new: String) throws {
    let parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: old)
    try #require(parts.count == 2, "what the edit replaces is there once in \(file.lastPathComponent): \(old)")
    try parts.joined(separator: new).write(to: file, atomically: true, encoding: .utf8)
  }
}
