import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import gatehouse

@Suite("What reaches a terminal")
struct TerminalTests {
  /// C1, ESC, DEL, BEL, bidirectional, zero width, a tag beyond U+FFFF, a line separator.
  private static let hostile = "\u{9B}31m\u{1B}]0;x\u{7}\u{7F}\u{202E}\u{200B}\u{E0041}\u{2028}\u{AD}"

  private static func active(_ text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.filter { $0.value != 0x0A && $0.value != 0x0D && $0.value != 0x09 && Visible.isActive($0) }
  }

  @Test("T204 every character that a terminal acts on is escaped in lines, in tables and in JSON")
  func characters() {
    for value in (0..<0x11_0000 as Range<UInt32>) {
      guard let scalar = Unicode.Scalar(value), scalar != "\n", scalar != "\t" else { continue }
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        let text = String(scalar)
        let shown = [
          Visible.line(text), Visible.lines(text, colour: true), JSONOutput.string(text), Cell.text(text).shown,
        ]
        guard !shown.contains(where: { !Self.active($0).isEmpty }) else {
          Issue.record("U+\(String(value, radix: 16))")
          return
        }
      default: continue
      }
    }
  }

  @Test("T204 JSON that is escaped for a terminal is the same JSON")
  func same() throws {
    let inner = Self.hostile.unicodeScalars.filter { $0.value >= 0x20 }.map(String.init).joined()
    let json = #"{"a": "\#(inner)", "b\#u{202E}": ["é", "😀"]}"#
    let shown = JSONOutput.shown(json)
    #expect(Self.active(shown).isEmpty)
    #expect(try JSONParser.parse(Array(shown.utf8)) == JSONParser.parse(Array(json.utf8)))
    let string = try JSONParser.parse(Array(JSONOutput.string(Self.hostile).utf8))
    #expect(string == .string(Self.hostile))
  }

  @Test("T204 of escape sequences only this program's own colours pass, and without colour none")
  func colours() {
    let text = "\u{1B}[1ma\u{1B}[0m\u{1B}[8mb\u{1B}[2J\u{9B}31m\u{1B}[31mc"
    #expect(
      Visible.lines(text, colour: true) == "\u{1B}[1ma\u{1B}[0m\\u{1b}[8mb\\u{1b}[2J\\u{9b}31m\u{1B}[31mc")
    #expect(Self.active(Visible.lines(text, colour: false)).isEmpty)
  }

  @Test("T204 no code of the program but the terminal, the log and the writers of files writes to a descriptor")
  func writers() throws {
    let root = URL(filePath: TestLists.root + "/Sources/gatehouse")
    let own: Set<String> = ["Terminal.swift", "LogWriter.swift", "ReplacedFile.swift", "WholeFile.swift"]
    let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL }
    var found: [String] = []
    for file in files ?? [] where file.pathExtension == "swift" && !own.contains(file.lastPathComponent) {
      let text = try String(contentsOf: file, encoding: .utf8)
      for way in ["Glibc.write(", "fputs(", "fwrite(", "putchar(", "dprintf(", "FileHandle.", "Swift.print("]
      where text.contains(way) {
        found.append("\(file.lastPathComponent): \(way)")
      }
    }
    #expect((files?.count ?? 0) > 50 && found == [])
  }

  /// Commands whose words, files or answers hold hostile text, run on a terminal.
  @Test(
    "T204 a command prints nothing hostile to a terminal, whatever quotes it",
    arguments: [
      ["nonsense-\u{9B}31m"], ["policy", "check", "hostile.yaml"], ["policy", "check", "gone\u{202E}.yaml"],
      ["policy", "check", "--output", "json", "hostile.yaml"],
      ["policy", "check", "--output", "ndjson", "hostile.yaml"],
      ["policy", "check", "--output", "csv", "hostile.yaml"], ["policy", "check", "--format", "sarif", "hostile.yaml"],
      ["policy", "check", "--format", "github", "hostile.yaml"], ["policy", "fmt", "hostile.yaml"],
      ["policy", "test", "hostile.yaml"],
      ["policy", "explain", "hostile.yaml", "x\u{200B}"], ["config", "check", "--config", "hostile.yaml"],
      ["audit", "verify", "--file", "hostile.yaml"], ["user", "list", "a\u{9B}b", "--server", "http://\u{202E}"],
      ["config", "show"], ["help", "x\u{1B}[2J"],
    ])
  func commands(words: [String]) throws {
    let folder = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: folder) }
    let text = "version: 1\ntenant: a\napp: {name: \"\u{202E}\u{9B}31m\u{200B}x\"}\n\u{202E}odd\u{9B}: 1\n"
    try text.write(to: folder.appending(path: "hostile.yaml"), atomically: true, encoding: .utf8)
    let script = """
      import os, pty, sys
      os.chdir(sys.argv[1])
      os.environ["GATEHOUSE_DATA_DIR"] = sys.argv[1]
      os.environ["TERM"] = "xterm"
      pty.spawn(sys.argv[2:])
      """
    let outcome = try Python.run(script, [folder.path, Binary.url.path] + words)
    let plain = outcome.output.replacing(#/\u{1B}\[(0|1|2|31|32|33|1;31|1;33)m/#, with: "")
    #expect(!outcome.output.isEmpty && Self.active(plain).isEmpty, "\(words): \(plain.debugDescription)")
  }
}
