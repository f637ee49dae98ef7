import Foundation
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("docs/policy.md")
struct PolicyGuideTests {
  private static var sections: [Guide.Section] {
    get throws {
      try Guide(String(contentsOf: ConfigTests.root.appending(path: "docs/policy.md"), encoding: .utf8)).sections
    }
  }

  @Test("each edit works as written, and its commands print what the page says", arguments: try sections)
  func holds(_ section: Guide.Section) async throws {
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let database = try await TestDatabase.make()
    let environment = try Binary.environment(
      database, in: directory, ["PATH": Binary.url.deletingLastPathComponent().path + ":/usr/bin:/bin"])
    let policies = directory.appending(path: "policies")
    try FileManager.default.copyItem(at: ConfigTests.root.appending(path: "policies"), to: policies)
    for tenant in ["dd-ride", "messai", "vibes"] {
      let made = try Binary.run(
        ["tenant", "create", tenant, "--policy", "policies/\(tenant).yaml"], in: directory, environment: environment)
      try #require(made.exit == 0, "\(made.errors)")
    }
    for step in section.steps {
      switch step {
      case .edit(let name, let old, let new):
        try Guide.edit(directory.appending(path: name), from: old, to: new)
      case .command(let line, let text, let expected):
        let printed = try Shell.run(text, in: directory, environment).output
        // The page leaves out a blank line at the end.
        let lines = printed.trimmingCharacters(in: .newlines).components(separatedBy: "\n")
        try Guide.expect(lines, from: text, as: expected, on: "docs/policy.md", line: line)
      }
    }
    try await database.drop()
  }

  @Test("every kind of edit has a section")
  func kinds() throws { #expect(try Self.sections.count == 13) }

  @Test("a page that does not say what is printed fails")
  func negativeControl() throws {
    let guide = try Guide("## A\n```diff a.yaml\n-old\n+new\n same\n```\n```console\n$ true\nx\n```\n")
    guard case .edit("a.yaml", "old\nsame\n", "new\nsame\n")? = guide.sections[0].steps.first,
      case .command(8, "true", let output)? = guide.sections[0].steps.last
    else {
      Issue.record("\(guide.sections)")
      return
    }
    #expect(!Lines.match([], output[...]))
  }
}
