import Foundation
import GatehouseTesting

/// A line of a shell, with both outputs together.
enum Shell {
  /// As typed: the comment, quotation marks and all.
  static func run(
    _ line: String, in directory: URL, _ environment: [String: String]
  ) throws -> (exit: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    // Before the line, as its comment would swallow the redirection.
    process.arguments = ["-c", "exec 2>&1\n" + line]
    process.currentDirectoryURL = directory
    process.environment = ProgramEnvironment.of(environment, home: directory.path)
    process.standardInput = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }
}
