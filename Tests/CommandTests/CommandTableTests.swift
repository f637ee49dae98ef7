import Foundation
import Testing

@testable import gatehouse

@Suite("The table of commands")
struct CommandTableTests {
  static let parser = Parser(commands: Commands.all, nouns: Commands.nouns)
  static let names = Commands.all.map(\.name)

  static func command(_ name: String) throws -> Command { try #require(Commands.all.first { $0.name == name }) }

  @Test("every command has three examples, and each is taken by the parser as that command", arguments: names)
  func examples(_ name: String) throws {
    let command = try Self.command(name)
    #expect(command.examples.count == 3)
    for example in command.examples {
      let words = ShellWords.split(example.line)
      #expect(words.first == "gatehouse", "\(example.line)")
      let request = try Self.parser.parse(Array(words.dropFirst()))
      guard case .run(let parsed, _) = request else {
        Issue.record("\(example.line) runs nothing")
        continue
      }
      #expect(parsed.name == name, "\(example.line)")
      #expect(!example.says.isEmpty && !example.says.hasSuffix("."), "\(example.line)")
    }
  }

  @Test("every command is explained in one line, its flags and arguments too", arguments: names)
  func words(_ name: String) throws {
    let command = try Self.command(name)
    #expect(!command.summary.hasSuffix(".") && !command.summary.contains("\n") && command.summary.count < 90)
    #expect(command.summary.first?.isUppercase == true)
    for flag in command.flags { #expect(!flag.summary.isEmpty && !flag.summary.contains("\n"), "--\(flag.name)") }
    for argument in command.arguments { #expect(argument.name == argument.name.uppercased()) }
    let names = command.flags.map(\.name)
    #expect(Set(names).count == names.count, "a flag stands twice")
    #expect(names.allSatisfy { $0.allSatisfy { $0.isLowercase || $0 == "-" || $0.isNumber } && $0 != "help" })
  }

  /// Whether a note is a paragraph of whole sentences.
  private static func isParagraph(_ note: String) -> Bool {
    note.first?.isUppercase == true && note.last == "." && !note.contains("\n")
  }

  @Test("every note of a command is a paragraph of whole sentences", arguments: names)
  func notes(_ name: String) throws {
    #expect(try Self.command(name).notes.filter { !Self.isParagraph($0) } == [])
  }

  @Test("a sentence that is split over two notes is seen in both")
  func splitNote() {
    let halves = ["Checks the database, waiting mail and the mail", "server, and each watched policy file."]
    #expect(halves.filter(Self.isParagraph) == [])
    #expect(Self.isParagraph(halves.joined(separator: " ")))
  }

  @Test("every noun has verbs, every verb a noun, and no name stands twice")
  func nouns() {
    let nouns = Set(Commands.nouns.map(\.name))
    #expect(nouns.count == Commands.nouns.count)
    #expect(Set(Commands.all.compactMap(\.noun)) == nouns)
    #expect(Set(Self.names).count == Self.names.count)
    #expect(nouns.isDisjoint(with: Self.names))
  }

  @Test("mutating commands can be rehearsed and answered without a person", arguments: names)
  func mutating(_ name: String) throws {
    let command = try Self.command(name)
    let flags = Set(command.flags.map(\.name))
    #expect(["dry-run", "yes"].allSatisfy(flags.contains) == command.mutating)
    if command.mutating || command.takesSecret { #expect(flags.contains("no-input")) }
  }

  @Test("help of every command names its flags, arguments, examples and exit codes", arguments: names)
  func help(_ name: String) throws {
    let command = try Self.command(name)
    let text = try Commands.help.text(for: command.words)
    for part in command.flags.map({ "--\($0.name)" }) + command.arguments.map(\.name) + command.examples.map(\.line) {
      #expect(text.contains(part))
    }
    #expect(text.contains("\n  2    ") || text.contains("\n  2  "))
    for line in text.split(separator: "\n") where !command.examples.contains(where: { line.contains($0.line) }) {
      #expect(line.count <= 100, "\(line)")
    }
  }

  @Test("docs/cli.md is what `gatehouse man --markdown` writes")
  func reference() throws {
    let written = try String(contentsOf: ConfigTests.root.appending(path: "docs/cli.md"), encoding: .utf8)
    let reference = CommandReference(commands: Commands.all, nouns: Commands.nouns)
    #expect(written == reference.text)
  }

  @Test("completion scripts know every word and flag", arguments: CompletionScript.Shell.allCases)
  func completion(_ shell: CompletionScript.Shell) {
    let script = CompletionScript(commands: Commands.all, nouns: Commands.nouns).text(shell: shell)
    for command in Commands.all {
      for word in command.words { #expect(script.contains(word)) }
      for flag in command.flags { #expect(script.contains(shell == .fish ? "-l \(flag.name)" : "--\(flag.name)")) }
    }
  }

  @Test("the bash script is a script bash accepts, and completes words, verbs, flags and choices")
  func bash() throws {
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let script = CompletionScript(commands: Commands.all, nouns: Commands.nouns).text(shell: .bash)
    let test = """
      set -e
      \(script)
      try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _gatehouse || true; echo "${COMPREPLY[*]}"; }
      try gatehouse conf
      try gatehouse config sh
      try gatehouse config show --ori
      try gatehouse config show --output c
      """
    let file = directory.appending(path: "test.bash")
    try test.write(to: file, atomically: true, encoding: .utf8)
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = [file.path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(text == "config\nshow\n--origin\ncsv\n")
  }

  @Test("the policies of the repository pass `policy check` with the lists of the repository")
  func policies() throws {
    let files = ["messai", "dd-ride", "vibes"].map { "policies/\($0).yaml" }
    let outcome = try Binary.run(["policy", "check"] + files, in: ConfigTests.root)
    #expect(outcome.exit == 0, "\(outcome.output)")
    #expect(!outcome.errors.contains("note:"))
  }

  @Test("the manual holds every command, and no line of prose starts a roff request by accident")
  func manual() throws {
    let text = try ManPage(commands: Commands.all, nouns: Commands.nouns).text(for: [])
    for command in Commands.all { #expect(text.contains(".SS gatehouse \(command.name.replacing("-", with: "\\-"))")) }
    let requests: Set<String> = [".TH", ".SH", ".SS", ".PP", ".TP", ".B", ".I", ".EX", ".EE"]
    for line in text.split(separator: "\n") where line.hasPrefix(".") {
      #expect(requests.contains(String(line.prefix { $0 != " " })), "\(line)")
    }
  }
}
