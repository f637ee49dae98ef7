import Foundation
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// The README from its first to its last command, beside a server that watches the policies as `script/server` does.
@Suite("README.md")
struct ReadmeTests {
  private static var sections: [Guide.Section] {
    get throws {
      try Guide(String(contentsOf: ConfigTests.root.appending(path: "README.md"), encoding: .utf8)).sections
    }
  }

  @Test("the policy edit and the tour work as written, and their commands print what the page says")
  func holds() async throws {
    let steps = try Self.sections.flatMap(\.steps)
    let policies = try ["dd-ride": TestLists.policy("dd-ride"), "vibes": TestLists.policy("vibes")]
    try await ServedApp.run(policies: policies) { server, _, app in
      let path = Binary.url.deletingLastPathComponent().path + ":/usr/bin:/bin"
      let shell = try ShellSession(in: app.directory, app.environment.merging(["PATH": path]) { $1 })
      defer { shell.end() }
      for step in steps {
        switch step {
        case .edit(let name, let old, let new):
          try Guide.edit(app.directory.appending(path: name), from: old, to: new)
          _ = try await server.line(with: "policy.refused")
        case .command(let number, let command, let expected):
          if command.contains("mail outbox") { _ = try await app.mail(to: "willie@ksu.edu") }
          let lines = try shell.lines(command, at: app.url.replacing("http://", with: ""))
          try Guide.expect(lines, from: command, as: expected, on: "README.md", line: number)
          if command.contains("--accept") { _ = try await server.line(with: "policy.applied") }
          if command.contains("rollback") { #expect(try await Self.isLive("3", at: app.url)) }
        }
      }
    }
  }

  /// Whether the server serves a revision of DD Ride, of which it hears from the database.
  private static func isLive(_ revision: String, at url: String) async throws -> Bool {
    try await eventually {
      try await TestClient(url).get("/t/dd-ride/v1/policy").headers["policy-revision"] == revision
    }
  }

  @Test("the page has an edit and a tour")
  func titles() throws { #expect(try Self.sections.map(\.title) == ["A policy edit", "A tour in five minutes"]) }
}
