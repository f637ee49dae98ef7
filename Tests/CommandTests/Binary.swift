import Foundation
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// The built executable, and what came out of one run of it.
enum Binary {
  struct Outcome {
    let exit: Int32
    let output: String
    let errors: String
  }

  /// It stands beside the test bundle.
  static var url: URL {
    URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().appending(path: "gatehouse")
  }

  /// Runs it with nothing in its environment but what is given, in this directory.
  static func run(
    _ words: [String], in directory: URL, environment: [String: String] = [:], input: String = "",
    program: URL = url
  ) throws -> Outcome {
    let process = Process()
    process.executableURL = program
    process.arguments = words
    process.currentDirectoryURL = directory
    process.environment = ProgramEnvironment.of(environment, home: directory.path)
    let (typed, output, errors) = (Pipe(), Pipe(), Pipe())
    process.standardInput = typed
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    try typed.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try typed.fileHandleForWriting.close()
    // Errors are few and fit the pipe; output is read to its end first.
    let outputData = output.fileHandleForReading.readDataToEndOfFile()
    let errorData = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Outcome(
      exit: process.terminationStatus, output: String(decoding: outputData, as: UTF8.self),
      errors: String(decoding: errorData, as: UTF8.self))
  }

  /// The environment of an installation on this database, with more settings. The key is there, as after the first
  /// start of a server, unless `hasKey` says otherwise.
  static func environment(
    _ database: TestDatabase, in directory: URL, _ more: [String: String] = [:], hasKey: Bool = true
  ) throws -> [String: String] {
    if hasKey { try TestKeyFile.make(in: directory.path + "/data") }
    return [
      "GATEHOUSE_DATABASE_URL": database.url, "GATEHOUSE_DATA_DIR": directory.path + "/data",
      "GATEHOUSE_LISTS": TestLists.root + "/config/lists",
    ].merging(more) { $1 }
  }

  /// A fresh directory for one test.
  static func directory() throws -> URL {
    URL(filePath: try TestFolder.make("command", forEverybody: true))
  }
}
