import Foundation

/// A Markdown file of this repository.
struct Document {
  /// Below the root.
  let path: String
  let text: String

  /// Every document outside hidden folders, but the catalogue of the client, whose links DocC checks.
  static func all() throws -> [Document] {
    let top = try FileManager.default.contentsOfDirectory(atPath: WallTests.root).filter { !$0.hasPrefix(".") }
    let files = top.flatMap { name in
      let below = FileManager.default.enumerator(atPath: "\(WallTests.root)/\(name)")?.allObjects as? [String] ?? []
      return [name] + below.map { "\(name)/\($0)" }
    }
    return try files.filter { $0.hasSuffix(".md") && !$0.contains(".docc/") && !$0.contains("/.") }.sorted().map {
      Document(path: $0, text: try String(contentsOfFile: "\(WallTests.root)/\($0)", encoding: .utf8))
    }
  }

  /// The lines outside code blocks, by number.
  var prose: [(number: Int, text: String)] {
    var lines: [(number: Int, text: String)] = []
    var isCode = false
    for (index, line) in text.components(separatedBy: "\n").enumerated() {
      if line.trimmingCharacters(in: .whitespaces).hasPrefix("```") {
        isCode.toggle()
      } else if !isCode {
        lines.append((index + 1, line))
      }
    }
    return lines
  }

  /// The names by which links reach its headings.
  var anchors: Set<String> {
    Set(
      prose.compactMap { line in
        let mark = line.text.prefix { $0 == "#" }
        guard !mark.isEmpty, line.text.dropFirst(mark.count).hasPrefix(" ") else { return nil }
        let heading = line.text.dropFirst(mark.count + 1).lowercased()
        return heading.filter { $0.isLetter || $0.isNumber || " -_".contains($0) }.replacing(" ", with: "-")
      })
  }

  /// Links to files that do not exist, and to headings that their file does not have, as `line: target`.
  func deadLinks() throws -> [String] {
    try prose.flatMap { line in
      let text = line.text.replacing(/`[^`]*`/, with: "")
      return try text.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }.filter { try !isAlive($0) }
        .map { "\(path):\(line.number): \($0)" }
    }
  }

  private func isAlive(_ target: String) throws -> Bool {
    guard target.prefixMatch(of: /[a-z]+:/) == nil else { return true }
    let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    var other = self
    if !parts[0].isEmpty {
      let file = "\(folder)/\(parts[0])"
      guard FileManager.default.fileExists(atPath: file) else { return false }
      guard parts.count == 2 else { return true }
      other = Document(path: path, text: try String(contentsOfFile: file, encoding: .utf8))
    }
    return other.anchors.contains(String(parts[1]))
  }

  /// Files and folders in code spans that do not exist, as `line: path`.
  func deadPaths() -> [String] {
    prose.flatMap { line in
      line.text.matches(of: /`([^`]+)`/).compactMap { named(by: $0.1.prefix { $0 != " " }) }
        .filter { !exists($0) }.map { "\(path):\(line.number): \($0)" }
    }
  }

  /// The path that a word names, up to a placeholder such as NOUN; nil where it is no path of this repository.
  ///
  /// It begins in the root, in a room without its `Gatehouse`, or, on the card of a room, in the room itself.
  private func named(by word: Substring) -> String? {
    let parts = word.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count > 1, !parts[0].isEmpty, word.wholeMatch(of: /[\w.+\/…*-]+/) != nil else { return nil }
    // A build makes these, or does not.
    guard parts[0] != ".build" else { return nil }
    let isCard = path.hasPrefix("Sources/") && parts[0].first?.isUppercase == true
    let begins = ["\(WallTests.root)/\(parts[0])", "\(WallTests.root)/Sources/Gatehouse\(parts[0])"]
    guard isCard || begins.contains(where: FileManager.default.fileExists(atPath:)) else { return nil }
    return parts.prefix { $0.firstMatch(of: /[…*]|^X|NNNN|^[A-Z]+$/) == nil }.joined(separator: "/")
  }

  private func exists(_ named: String) -> Bool {
    let sources = "\(WallTests.root)/Sources"
    return [WallTests.root + "/", folder + "/", sources + "/", sources + "/Gatehouse"].contains {
      FileManager.default.fileExists(atPath: $0 + named)
    }
  }

  private var folder: String { ("\(WallTests.root)/\(path)" as NSString).deletingLastPathComponent }
}
