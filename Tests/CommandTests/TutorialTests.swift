import Foundation
import GatehouseOutbound
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// The tutorial from its first to its last step: its package is built as the page has it, and its commands are run
/// beside the app. (Its screens are parsed by PackageTests.)
@Suite("docs/tutorial-ios.md")
struct TutorialTests {
  private static let mail = "gatehouse mail outbox"

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

  /// The app of the page, for a server.
  private struct Rides {
    let app: ServedApp
    let program: URL
    let environment: [String: String]

    init(_ app: ServedApp) throws {
      self.app = app
      let folder = app.directory.appending(path: "app")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let builder = Process()
      builder.executableURL = ConfigTests.root.appending(path: "script/client")
      builder.arguments = ["tutorial", "--output", folder.path, "--server", app.url]
      let output = Pipe()
      builder.standardOutput = output
      builder.standardError = output
      builder.standardInput = FileHandle.nullDevice
      try builder.run()
      let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      builder.waitUntilExit()
      try #require(builder.terminationStatus == 0, "\(said)")
      program = folder.appending(path: "Rides/.build/debug/Rides")
      environment = app.environment.merging(["XDG_STATE_HOME": folder.path]) { $1 }
    }

    /// What a start of the app prints.
    func callAsFunction(_ words: String...) throws -> [String] {
      let quoted = words.map { "'\($0)'" }.joined(separator: " ")
      let outcome = try Shell.run("'\(program.path)' \(quoted)", in: app.directory, environment)
      #expect(outcome.exit == 0, "\(words)\n\(outcome.output)")
      return outcome.output.split(separator: "\n").map(String.init)
    }
  }

  @Test("its package builds as written, its app signs up and verifies, and every command works beside it")
  func steps() async throws {
    let lines = try Self.lines()
    try #require(lines.count == Self.expected.count)
    try await ServedApp.run { _, _, app in
      let rides = try Rides(app)
      #expect(try rides() == ["Sign in"])
      #expect(try rides("sign-up", "w@gmail.com", "wild", "Willie W", "(785) 555-0123").count > 1)
      #expect(try rides("sign-up", "willie@ksu.edu", "Wildcat1", "Willie W", "(785) 555-0123") == ["nil"])
      #expect(try rides() == ["Verify your email"])
      let path = Binary.url.deletingLastPathComponent().path + ":/usr/bin:/bin"
      let environment = app.environment.merging(["PATH": path]) { $1 }
      for (line, words) in zip(lines, Self.expected) {
        let here = line.replacing("http://localhost:8080", with: app.url)
        let code = line.hasPrefix(Self.mail) ? try await app.mail(to: "willie@ksu.edu").code : nil
        let outcome = try Shell.run(here, in: app.directory, environment)
        #expect(outcome.exit == 0, "\(line)\n\(outcome.output)")
        for word in words { #expect(outcome.output.contains(word), "\(line)\n\(outcome.output)") }
        guard line.hasPrefix(Self.mail) else { continue }
        #expect(try rides("verify", try #require(code)) == ["true"])
        #expect(try rides() == ["Welcome, Willie W"])
      }
    }
  }
}
