import Foundation
import GatehouseTesting

/// One shell for several lines: a line has the variables and functions of the lines before it.
final class ShellSession {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  struct Ended: Error { let line: String }

  init(in directory: URL, _ environment: [String: String]) throws {
    process.executableURL = URL(filePath: "/bin/bash")
    process.currentDirectoryURL = directory
    process.environment = ProgramEnvironment.of(environment, home: directory.path)
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  /// What the line prints on both outputs, without line breaks at the ends.
  func run(_ line: String) throws -> String {
    // The line's own standard input is empty, so that no command reads the lines after it.
    let text = "{ \(line)\n} </dev/null 2>&1\nprintf '\\n\\001\\n'\n"
    try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    var printed = Data()
    while !printed.suffix(3).elementsEqual("\n\u{1}\n".utf8) {
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { throw Ended(line: line) }
      printed.append(more)
    }
    return String(decoding: printed.dropLast(3), as: UTF8.self).trimmingCharacters(in: .newlines)
  }

  /// The same for a line of a document, which names the server at `localhost:8080` wherever it listens. Lines.
  func lines(_ line: String, at address: String) throws -> [String] {
    let written = "localhost:8080"
    let printed = try run(line.replacing(written, with: address)).replacing(address, with: written)
    return printed.isEmpty ? [] : printed.components(separatedBy: "\n")
  }

  /// Ends the shell.
  func end() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
