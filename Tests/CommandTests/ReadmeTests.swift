import Foundation
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("README.md")
struct ReadmeTests {
  /// The lines of the code block below "Changing a policy".
  private static func lines() throws -> [String] {
    let text = try String(contentsOf: ConfigTests.root.appending(path: "README.md"), encoding: .utf8)
    let section = try #require(text.components(separatedBy: "## Changing a policy\n").last)
    let block = try #require(section.components(separatedBy: "```sh\n").dropFirst().first)
    return try #require(block.components(separatedBy: "```").first).split(separator: "\n").map(String.init)
  }

  /// What each line has to say, and how it ends.
  private static let expected: [(words: String, exit: Int32, says: String)] = [
    ("test policies", 1, "password.min8"), ("diff", 1, "min_length"), ("impact", 0, "nobody loses full access"),
    ("test --accept", 0, "password.min8"), ("apply", 0, "revision 2 says the same already"),
    ("explain", 1, "refused at sign_up"), ("history", 0, "dd-ride.yaml was edited"),
    ("rollback", 0, "revision 3 is live"),
  ]

  @Test("the edit to longer passwords works as written, while the server watches")
  func longerPasswords() async throws {
    let lines = try Self.lines()
    try #require(lines.count == Self.expected.count)
    try await ServedApp.run { server, _, app in
      let file = app.directory.appending(path: "policies/dd-ride.yaml")
      let text = try String(contentsOf: file, encoding: .utf8)
      let edited = text.replacing("min_length: 8", with: "min_length: 12")
      try #require(edited != text)
      try edited.write(to: file, atomically: true, encoding: .utf8)
      _ = try await server.line(with: "policy.refused")
      let environment = app.environment.merging(["G": Binary.url.path, "PATH": "/usr/bin:/bin"]) { $1 }
      for (line, expected) in zip(lines, Self.expected) {
        #expect(line.hasPrefix("$G policy \(expected.words)"), "\(line)")
        if expected.words == "apply" { _ = try await server.line(with: "policy.applied") }
        let outcome = try Shell.run(line, in: app.directory, environment)
        #expect(
          outcome.exit == expected.exit && outcome.output.contains(expected.says), "\(line)\n\(outcome.output)")
      }
    }
  }
}
