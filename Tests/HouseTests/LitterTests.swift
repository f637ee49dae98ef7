import Foundation
import Testing

/// Tests make files by `TestFolder` alone, which removes them; clusters look after themselves.
@Suite("What tests leave behind")
struct LitterTests {
  private static let ways = ["NSTemporaryDirectory(", ".temporaryDirectory", "mkdtemp", "mkstemp", "\"/tmp/"]
  private static let exempt = ["TestFolder.swift", "TestCluster.swift", "EmbeddedTests.swift", "LitterTests.swift"]

  /// Where a text makes files elsewhere.
  private func litter(in text: String) -> [String] {
    text.split(separator: "\n").filter { line in Self.ways.contains { line.contains($0) } }.map(String.init)
  }

  @Test("no test makes files where they are never removed")
  func files() throws {
    var seen = 0
    for folder in ["Tests", "Sources/GatehouseTesting", "Sources/GatehouseServerTesting"] {
      let root = "\(WallTests.root)/\(folder)"
      let files = try #require(FileManager.default.enumerator(atPath: root)?.allObjects as? [String])
      for file in files where file.hasSuffix(".swift") && !Self.exempt.contains((file as NSString).lastPathComponent) {
        seen += 1
        #expect(litter(in: try String(contentsOfFile: "\(root)/\(file)", encoding: .utf8)) == [], "\(folder)/\(file)")
      }
    }
    #expect(seen > 200)
  }

  @Test("the same look finds one that does")
  func control() {
    #expect(litter(in: "let a = 1\nlet path = NSTemporaryDirectory() + name\nopen(\"/tmp/x\", 0)").count == 2)
  }
}
