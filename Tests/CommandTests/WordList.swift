import Foundation
import Testing

/// Words that are stored or on a wire, in groups. They are compared with a file of `Words/`; with
/// GATEHOUSE_WRITE_ANSWERS in the environment the file is written instead. A change of that file is a change of what is
/// stored or on a wire.
struct WordList {
  private var groups: [(title: String, words: [String])] = []

  /// Words of one kind, sorted.
  mutating func add(_ title: String, _ words: some Sequence<String>) { groups.append((title, words.sorted())) }

  /// Every raw value of a type.
  mutating func add<Word>(_ title: String, _ type: Word.Type)
  where Word: RawRepresentable & CaseIterable, Word.RawValue == String {
    add(title, type.allCases.map(\.rawValue))
  }

  private var lines: [String] { groups.flatMap { ["## \($0.title)"] + $0.words + [""] } }

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Words")

  /// Expects the lines of the file of this name.
  func expect(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let changes = try changes(from: name)
    #expect(changes == [], sourceLocation: sourceLocation)
  }

  /// Lines of the file that are gone behind `-`, new ones behind `+`.
  private func changes(from name: String) throws -> [String] {
    let file = Self.folder.appending(path: "\(name).txt")
    if ProcessInfo.processInfo.environment["GATEHOUSE_WRITE_ANSWERS"] != nil {
      try lines.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
      return []
    }
    let kept = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    return lines.difference(from: kept).map { change in
      switch change {
      case .remove(_, let line, _): "- \(line)"
      case .insert(_, let line, _): "+ \(line)"
      }
    }
  }
}
