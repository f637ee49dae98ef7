import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// The tutorial from its first to its last line: edits, one shell for all commands, and the server of its own.
@Suite("docs/tutorial.md")
struct ServerTutorialTests {
  private static var text: String {
    get throws { try String(contentsOf: ConfigTests.root.appending(path: "docs/tutorial.md"), encoding: .utf8) }
  }

  /// The words behind `gatehouse` in the line that starts the server.
  private static func serve() throws -> [String] {
    let block = try #require(try text.components(separatedBy: "```sh\n").dropFirst().first)
    let line = try #require(block.components(separatedBy: "\n").first)
    try #require(line.hasPrefix("gatehouse serve "))
    return line.split(separator: " ").dropFirst().map(String.init)
  }

  /// The revision that a command made live, if it did.
  private static func revision(in printed: [String]) -> String? {
    guard let first = printed.first else { return nil }
    return first == "made notes" ? "1" : first.wholeMatch(of: /revision ([0-9]+) is live/).map { String($0.1) }
  }

  @Test("each edit and each command works as written, and prints what the page says")
  func holds() async throws {
    let sections = try Guide(try Self.text).sections
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let database = try await TestDatabase.make()
    let environment = try Binary.environment(
      database, in: directory, ["PATH": Binary.url.deletingLastPathComponent().path + ":/usr/bin:/bin"])
    let free = [
      "--listen", "127.0.0.1:0", "--ops-listen", "127.0.0.1:0", "--log-format", "json", "--public-url",
      "http://localhost:8080",
    ]
    let server = try RunningBinary(try Self.serve() + free, in: directory, environment: environment)
    defer { server.stop() }
    let started = try JSONParser.parse(Array(try await server.line(with: "server.started").utf8))
    let address = try #require(started["listen"]?.string)
    let app = ServedApp(
      url: "http://" + address, operations: "", admin: "", directory: directory, environment: environment)
    let shell = try ShellSession(in: directory, environment)
    defer { shell.end() }
    for step in sections.flatMap(\.steps) {
      switch step {
      case .edit(let name, let old, let new):
        try Guide.edit(directory.appending(path: name), from: old, to: new)
      case .command(let number, let command, let expected):
        if command.contains("mail outbox") { _ = try await app.mail(to: "alex@example.com") }
        let lines = try shell.lines(command, at: address)
        try Guide.expect(lines, from: command, as: expected, on: "docs/tutorial.md", line: number)
        guard let revision = Self.revision(in: lines) else { continue }
        // The server hears of it from the database.
        let isLive = try await eventually {
          try await TestClient(app.url).get("/t/notes/v1/policy").headers["policy-revision"] == revision
        }
        #expect(isLive, "docs/tutorial.md:\(number)")
      }
    }
    #expect(server.stop() == 0)
    try await database.drop()
  }

  @Test("the page has the sections of the way from a server to a rollback")
  func sections() throws {
    #expect(
      try Guide(try Self.text).sections.map(\.title) == [
        "A server", "A policy", "A tenant", "Sign up", "Read the mail", "Sign in", "Change the policy", "See it live",
        "Roll back",
      ])
  }

  @Test("a shell keeps what a line set, and prints both outputs")
  func shell() throws {
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let shell = try ShellSession(in: directory, [:])
    defer { shell.end() }
    #expect(try shell.run("say() { echo \"$1\"; echo err >&2; }") == "")
    #expect(try shell.run("say one") == "one\nerr")
  }
}
