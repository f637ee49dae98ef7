import Foundation
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("The workflow that policies/README.md describes")
struct WorkflowTests {
  private static let root = ConfigTests.root

  /// The lines of the code block below the heading.
  private static func lines() throws -> [String] {
    let text = try String(contentsOf: root.appending(path: "policies/README.md"), encoding: .utf8)
    let section = try #require(text.components(separatedBy: "## A change in eleven lines\n").last)
    let block = try #require(section.components(separatedBy: "```sh\n").dropFirst().first)
    return try #require(block.components(separatedBy: "```").first).split(separator: "\n").map(String.init)
  }

  /// What each verb has to say, on either output, and how it ends.
  private static let expected: [(words: String, exit: Int32, says: String)] = [
    ("policy fmt", 0, "policies/dd-ride.yaml is rewritten"),
    ("policy check", 0, "tests passed"),
    ("policy explain", 0, "P0307: warning without a date"),
    ("policy test --mutate", 0, "every change is noticed by a test"),
    ("policy prove", 0, "\"nobody is stranded\" proved"),
    ("policy doors", 0, "password.min8"),
    ("policy diff", 1, "sessions.refresh_idle_ttl: 60d → 30d"),
    ("policy impact", 0, "no user loses full access"),
    ("policy apply", 0, "revision 2 is live"),
    ("policy history", 0, "shorter sessions"),
    ("policy rollback", 0, "revision 3 is live"),
  ]

  @Test("each of its eleven lines works, in their order")
  func runs() async throws {
    let lines = try Self.lines()
    try #require(lines.count == Self.expected.count)
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let database = try await TestDatabase.make()
    try FileManager.default.createDirectory(
      at: directory.appending(path: "policies"), withIntermediateDirectories: true)
    let file = directory.appending(path: "policies/dd-ride.yaml")
    try FileManager.default.copyItem(at: Self.root.appending(path: "policies/dd-ride.yaml"), to: file)
    let surroundings = try Binary.environment(
      database, in: directory, ["PATH": Binary.url.deletingLastPathComponent().path + ":/usr/bin:/bin"])
    let tenant = try Binary.run(
      ["tenant", "create", "dd-ride", "--policy", "policies/dd-ride.yaml"], in: directory, environment: surroundings)
    #expect(tenant.exit == 0, "\(tenant.errors)")
    // The edit, which leaves something to the layout.
    let text = try String(contentsOf: file, encoding: .utf8)
    let edited = text.replacing("refresh_idle_ttl: 60d", with: "refresh_idle_ttl:   30d")
    try #require(edited != text)
    try edited.write(to: file, atomically: true, encoding: .utf8)
    for (line, expected) in zip(lines, Self.expected) {
      #expect(line.hasPrefix("gatehouse \(expected.words)"), "\(line)")
      let outcome = try Shell.run(line, in: directory, surroundings)
      #expect(outcome.exit == expected.exit, "\(line)\n\(outcome.output)")
      #expect(outcome.output.contains(expected.says), "\(line)\n\(outcome.output)")
    }
    try await database.drop()
  }
}
