import Dispatch
import Foundation
import GatehousePrimitives

/// Checks by programs that are not ours: Debian's Python and its libraries.
package enum Python {
  /// The output of a script, and whether it ended well.
  package struct Outcome: Sendable {
    package let status: Int32
    package let output: String
    package let errors: String
  }

  /// Runs a script with this standard input to its end.
  package static func run(_ script: String, _ arguments: [String] = [], input: String = "") throws -> Outcome {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-I", "-c", script] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": TestFolder.root]) { $1 }
    let (typed, output, errors) = (Pipe(), Pipe(), Pipe())
    process.standardInput = typed
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    // Writer and readers at once: either pipe may fill up before the other is empty.
    let writer = Thread {
      try? typed.fileHandleForWriting.write(contentsOf: Data(input.utf8))
      try? typed.fileHandleForWriting.close()
    }
    writer.start()
    let errorData = LockBox(Data())
    let isRead = DispatchSemaphore(value: 0)
    let reader = Thread {
      let read = errors.fileHandleForReading.readDataToEndOfFile()
      errorData.withLock { $0 = read }
      isRead.signal()
    }
    reader.start()
    let outputData = output.fileHandleForReading.readDataToEndOfFile()
    isRead.wait()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus, output: String(decoding: outputData, as: UTF8.self),
      errors: String(decoding: errorData.withLock { $0 }, as: UTF8.self))
  }
}
