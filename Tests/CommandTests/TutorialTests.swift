import Foundation
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// The commands of the tutorial, one after the other. Its Swift is compiled by PackageTests.
@Suite("docs/tutorial-ios.md")
struct TutorialTests {
  private static func lines() throws -> [String] {
    let text = try String(contentsOf: ConfigTests.root.appending(path: "docs/tutorial-ios.md"), encoding: .utf8)
    return text.components(separatedBy: "```sh\n").dropFirst().flatMap {
      ($0.components(separatedBy: "```").first ?? "").split(separator: "\n").map(String.init)
    }
  }

  /// What each line has to print.
  private static let expected: [[String]] = [
    ["password", "phoneNumber"], ["limited", "verify_email"],
    ["validation_failed", "Use your K-State email", "password.min8", "name.required"], ["willie@ksu.edu"],
    ["willie@ksu.edu"],
  ]

  @Test("every command works as written")
  func commands() async throws {
    let lines = try Self.lines()
    try #require(lines.count == Self.expected.count)
    try await ServedApp.run { _, _, app in
      let path = Binary.url.deletingLastPathComponent().path + ":/usr/bin:/bin"
      let environment = app.environment.merging(["PATH": path]) { $1 }
      for (line, words) in zip(lines, Self.expected) {
        let here = line.replacing("http://localhost:8080", with: app.url)
        if line.contains("mail outbox") { _ = try await app.mail(to: "willie@ksu.edu") }
        let outcome = try Shell.run(here, in: app.directory, environment)
        #expect(outcome.exit == 0, "\(line)\n\(outcome.output)")
        for word in words { #expect(outcome.output.contains(word), "\(line)\n\(outcome.output)") }
      }
    }
  }
}
