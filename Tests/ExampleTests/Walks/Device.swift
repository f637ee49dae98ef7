import Foundation
import GatehousePrimitives
import GatehouseTesting

/// A device with one of the example apps on it. Each command is a process of its own, as each start of an app is.
struct Device: Sendable {
  /// As the executable is called.
  let program: String
  let server: String
  /// Where the app keeps its session.
  let store: String

  struct Outcome: Equatable {
    let exit: Int32
    let lines: [String]
    let errors: [String]

    /// It did what it was asked, and said this.
    static func said(_ lines: [String]) -> Outcome { Outcome(exit: 0, lines: lines, errors: []) }

    /// It was refused, and said why.
    static func refused(_ errors: [String]) -> Outcome { Outcome(exit: 1, lines: [], errors: errors) }
  }

  /// Runs a command to its end.
  func run(_ words: String...) throws -> Outcome { try run(words) }

  /// Runs a command to its end.
  func run(_ words: [String]) throws -> Outcome {
    let running = try start(words)
    return Outcome(
      exit: running.ended(), lines: running.output.whole(), errors: running.errors.whole())
  }

  /// Starts a command that goes on.
  func start(_ words: String...) throws -> Running { try start(words) }

  /// Starts a command that goes on.
  func start(_ words: [String]) throws -> Running {
    try Running(program, words + ["--server", server, "--store", store])
  }

  /// A command that runs.
  final class Running: Sendable {
    private let process = Process()
    fileprivate let (output, errors) = (Lines(), Lines())

    fileprivate init(_ program: String, _ words: [String]) throws {
      process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: program)
      process.arguments = words
      process.environment = ProgramEnvironment.of([:], home: "/nonexistent")
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = output.pipe
      process.standardError = errors.pipe
      try process.run()
      output.read()
      errors.read()
    }

    /// Waits until this line is there.
    func says(_ line: String) async throws -> Bool { try await eventually { self.lines.contains(line) } }

    var lines: [String] { output.text.split(separator: "\n").map(String.init) }
    /// What it says on its other output.
    var complaints: [String] { errors.text.split(separator: "\n").map(String.init) }

    /// Waits until it ends by itself. Its exit code.
    @discardableResult func ended() -> Int32 {
      process.waitUntilExit()
      return process.terminationStatus
    }

    /// Ends it as the system ends an app: without a word.
    func kill() {
      Glibc.kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
  }
}

/// What a process writes, as it comes.
private final class Lines: Sendable {
  let pipe = Pipe()
  private let content = LockBox("")
  private let end = DispatchSemaphore(value: 0)

  var text: String { content.withLock { $0 } }

  func read() {
    let (handle, content, end) = (pipe.fileHandleForReading, content, end)
    Thread.detachNewThread {
      while true {
        let data = handle.availableData
        if data.isEmpty { break }
        content.withLock { $0 += String(decoding: data, as: UTF8.self) }
      }
      end.signal()
    }
  }

  /// All lines, once the process has ended.
  func whole() -> [String] {
    end.wait()
    return text.split(separator: "\n").map(String.init)
  }
}
