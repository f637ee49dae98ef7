import Foundation
import Testing

@Suite("Documents")
struct DocumentTests {
  /// The most bytes of a document.
  private static let sizes = ["README.md": 6144, "ARCHITECTURE.md": 13312]

  @Test("every link leads to a file, and to a heading of it where it names one")
  func links() throws {
    let dead = try Document.all().flatMap { try $0.deadLinks() }
    #expect(dead == [])
  }

  @Test("every path in a code span is a file or a folder")
  func paths() throws {
    let dead = try Document.all().flatMap { $0.deadPaths() }
    #expect(dead == [])
  }

  @Test("the introduction and the map stay short", arguments: sizes.keys.sorted())
  func size(_ name: String) throws {
    let document = try #require(try Document.all().first { $0.path == name })
    #expect(document.text.utf8.count <= (Self.sizes[name] ?? 0))
  }

  @Test("the documents are found")
  func found() throws {
    let paths = Set(try Document.all().map(\.path))
    let some = ["README.md", "THREATS.md", "docs/policy.md", "policies/README.md", "Sources/gatehouse/README.md"]
    #expect(paths.isSuperset(of: some))
  }

  // The controls: a document that is wrong, and one that is not.

  private static let wrong = Document(
    path: "docs/sample.md",
    text: """
      # A heading, with words
      [one](nothing.md), [two](policy.md#no-such-heading), [three](#none) and `docs/nothing.md`.
      An operator reads `Server/Nowhere/Routes.swift`.
      """)

  private static let right = Document(
    path: "docs/sample.md",
    text: """
      # A heading, with words
      [one](policy.md), [two](policy.md#a-longer-password), [three](#a-heading-with-words), [four](https://example.com/a).
      `docs/policy.md`, `Server/API/Routes.swift`, `Identity/Features/X.swift`, `.build/x`, `/etc/no` and `a/b`.
      ```
      the checks skip [five](nothing.md) or `docs/nothing.md` here
      ```
      """)

  @Test("a dead link, a dead heading and a dead link within the page are seen")
  func deadLinks() throws {
    #expect(
      try Self.wrong.deadLinks() == [
        "docs/sample.md:2: nothing.md", "docs/sample.md:2: policy.md#no-such-heading", "docs/sample.md:2: #none",
      ])
  }

  @Test("a dead path is seen, also one that begins in a room")
  func deadPaths() {
    #expect(
      Self.wrong.deadPaths() == ["docs/sample.md:2: docs/nothing.md", "docs/sample.md:3: Server/Nowhere/Routes.swift"])
  }

  @Test("links that live, paths that exist, samples and code blocks are left alone")
  func control() throws {
    #expect(try Self.right.deadLinks() + Self.right.deadPaths() == [])
  }
}
