import Foundation
import GatehouseTesting
import Testing

/// The commands of Examples/README.md, one after the other on one device.
@Suite("C19 Examples/README.md")
struct ExamplePageTests {
  private static func lines() throws -> [String] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: "Examples/README.md"), encoding: .utf8)
    let block = try #require(
      text.components(separatedBy: "```sh\n").dropFirst().first?.components(separatedBy: "```").first)
    return block.split(separator: "\n").map(String.init)
  }

  /// The words of a line, as a shell takes them.
  private static func words(_ line: String) -> [String] {
    line.prefix { $0 != "#" }.matches(of: #/"([^"]*)"|[^ ]+/#).map { String($0.1 ?? $0.0) }
  }

  @Test("C19 every command of the page does what the page says")
  func commands() async throws {
    let lines = try Self.lines().map(Self.words)
    #expect(lines.allSatisfy { Array($0.prefix(3)) == ["swift", "run", "dd-ride-example"] })
    try await Walk.run { walk async throws in
      let device = try walk.device("dd-ride-example")
      for words in lines.map({ Array($0.dropFirst(3)) }) {
        switch words.first {
        case "sign-up":
          // The password is typed.
          #expect(try device.run(words + ["--password", "Wildcat1"]).exit == 0)
        case "verify":
          let code = try await walk.code(to: "willie@ksu.edu")
          #expect(try device.run("verify", code) == .said(["Signed in as Willie W (willie@ksu.edu)."]))
        case "watch":
          let watching = try device.start(words)
          #expect(try await watching.says("Signed in as Willie W (willie@ksu.edu)."))
          watching.kill()
        default:
          let outcome = try device.run(words)
          #expect(outcome.exit == 0 && !outcome.lines.isEmpty, "\(words)")
        }
      }
    }
  }

  @Test("C19 the page has a command of each kind")
  func kinds() throws {
    #expect(
      try Self.lines().map(Self.words).compactMap { $0.dropFirst(3).first } == [
        "sign-up", "verify", "watch", "hosted", "--help",
      ])
  }
}
