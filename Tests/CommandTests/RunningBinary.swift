import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting

/// `gatehouse serve` as a process of its own, and the log it writes.
final class RunningBinary: Sendable {
  private let process: Process
  private let log: LockBox<(text: String, hasEnded: Bool)> = LockBox(("", false))

  /// Starts it in this directory, with nothing in its environment but what is given.
  init(_ words: [String], in directory: URL, environment: [String: String], program: URL = Binary.url) throws {
    process = Process()
    process.executableURL = program
    process.arguments = words
    process.currentDirectoryURL = directory
    process.environment = ProgramEnvironment.of(environment, home: directory.path)
    let errors = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    try process.run()
    let (log, reading) = (log, errors.fileHandleForReading)
    Thread.detachNewThread {
      while true {
        let data = reading.availableData
        log.withLock { state in
          if data.isEmpty { state.hasEnded = true } else { state.text += String(decoding: data, as: UTF8.self) }
        }
        if data.isEmpty { return }
      }
    }
  }

  /// The log so far.
  var text: String { log.withLock { $0.text } }
  var lines: [String] { text.split(separator: "\n").map(String.init) }

  /// The first whole line that holds this, once it is written.
  func line(with text: String) async throws -> String {
    let end = ContinuousClock.now + .seconds(60)
    while true {
      let (log, hasEnded) = log.withLock { $0 }
      if let found = log.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        .first(where: { $0.contains(text) })
      {
        return String(found)
      }
      guard !hasEnded, ContinuousClock.now < end else { throw Missing(text: text, log: String(log.suffix(2000))) }
      await Task.yield()
    }
  }

  struct Missing: Error {
    let text: String
    let log: String
  }

  /// Ends it as an operator would. Its exit code.
  @discardableResult func stop() -> Int32 {
    if process.isRunning { process.terminate() }
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Whether this very process still runs.
  var isRunning: Bool { process.isRunning }

  var processIdentifier: Int32 { process.processIdentifier }

  /// How a server ended that was not to start, and what it said. One that starts nonetheless is stopped.
  func refusal() async throws -> (exit: Int32, text: String) {
    _ = try await eventually { !isRunning || text.contains("server.started") }
    let exit = stop()
    _ = ended()
    return (exit, text)
  }

  /// Waits until it has ended by itself, and its log with it. How.
  func ended() -> Process.TerminationReason {
    process.waitUntilExit()
    while !log.withLock({ $0.hasEnded }) { sched_yield() }
    return process.terminationReason
  }
}
