import Foundation
import Testing

/// The lists of `docs/extending.md`: the files that change for each planned thing.
@Suite("Where the next things go")
struct ExtensionTests {
  /// A thing, and the files that its list names.
  struct Thing {
    let name: String
    var files: [String] = []
    /// The number of files that one thing may change. A seam is missing where it needs more.
    static let most = 15

    static func all(in document: Document) -> [Thing] {
      document.prose.reduce(into: []) { things, line in
        if line.text.hasPrefix("## ") {
          things.append(Thing(name: String(line.text.dropFirst(3))))
        } else if let item = line.text.prefixMatch(of: /[0-9]+\. `([^`]+)`/), !things.isEmpty {
          things[things.count - 1].files.append(String(item.1))
        }
      }
    }

    var problems: [String] {
      let missing = files.filter { !FileManager.default.fileExists(atPath: "\(WallTests.root)/\($0)") }
      let twice = Dictionary(grouping: files, by: \.self).filter { $1.count > 1 }.keys.sorted()
      return missing.map { "\(name): \($0) does not exist" } + twice.map { "\(name): \($0) stands twice" }
        + (files.isEmpty ? ["\(name): no file"] : [])
        + (files.count > Self.most ? ["\(name): \(files.count) files, and at most \(Self.most) may change"] : [])
    }
  }

  private static func things() throws -> [Thing] {
    let document = try Document.all().first { $0.path == "docs/extending.md" }
    return Thing.all(in: try #require(document))
  }

  @Test("every file of a list exists, and stands in it once")
  func lists() throws {
    #expect(try Self.things().flatMap(\.problems) == [])
  }

  @Test("seven things are placed")
  func all() throws {
    #expect(try Self.things().count == 7)
  }

  @Test("a file that is gone, one that stands twice, a list without files and one that is too long are seen")
  func control() {
    let folder = try? FileManager.default.contentsOfDirectory(atPath: "\(WallTests.root)/Tests/HouseTests")
    let long = (folder ?? []).sorted().prefix(Thing.most + 1).map { "1. `Tests/HouseTests/\($0)`" }
    let lines = ["## A", "1. `Nowhere.swift`", "## B", "1. `README.md`", "2. `README.md`", "## C", "## D"] + long
    let document = Document(path: "docs/sample.md", text: lines.joined(separator: "\n"))
    #expect(
      Thing.all(in: document).flatMap(\.problems) == [
        "A: Nowhere.swift does not exist", "B: README.md stands twice", "C: no file",
        "D: 16 files, and at most 15 may change",
      ])
  }
}
