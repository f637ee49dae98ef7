import Foundation

/// Keeps one PostgreSQL server running: a thread of its own starts it, waits for its end, and starts it again unless
/// that end was requested. The kernel interrupts the child when that thread ends, which is when this process dies.
final class Postmaster: @unchecked Sendable {
  // SAFETY: `condition` guards every stored variable.
  private let condition = NSCondition()
  private let arguments: [String]
  private let binaries: PostgresBinaries
  private let user: OSUser
  private let log: PostgresLog
  private var child: pid_t = 0
  private var isStopping = false
  private var hasEnded = false
  private var startFailure: EmbeddedError?

  init(binaries: PostgresBinaries, user: OSUser, arguments: [String], log: PostgresLog) {
    self.binaries = binaries
    self.user = user
    self.arguments = arguments
    self.log = log
  }

  /// The server's pid while it runs.
  var pid: pid_t? { locked { child > 0 ? child : nil } }

  /// Why the server could not be started or that it ended before it was ready; nil while there is hope.
  var failure: EmbeddedError? { locked { startFailure } }

  func start() {
    let thread = Thread { [self] in keep() }
    thread.name = "postmaster"
    thread.start()
    let keeper = Thread { [self] in keepLogSmall() }
    keeper.name = "postgres log"
    keeper.start()
  }

  /// Asks for a fast shutdown (sessions are ended, everything is written) and waits; then for an immediate one, which
  /// the next start recovers from.
  func stop(patience: TimeInterval = 30) {
    condition.lock()
    defer { condition.unlock() }
    isStopping = true
    condition.broadcast()
    for (signal, limit) in [(SIGINT, patience), (SIGQUIT, 10), (SIGKILL, 10)] where !hasEnded {
      if child > 0 { kill(child, signal) }
      let end = Date(timeIntervalSinceNow: limit)
      while !hasEnded, condition.wait(until: end) {}
    }
  }

  /// Starts no new server when this one ends.
  func abandon() { locked { isStopping = true } }

  /// Sends the running server a signal; for tests of crashes.
  func send(_ signal: Int32) { locked { if child > 0 { _ = kill(child, signal) } } }

  private func locked<Value>(_ body: () -> Value) -> Value {
    condition.lock()
    defer { condition.unlock() }
    return body()
  }

  private func keep() {
    var pause: TimeInterval = 0.1
    while !locked({ isStopping }) {
      let began = Date()
      do {
        let pid = try launch()
        let status = ChildProcess.wait(for: pid)
        locked {
          child = 0
          startFailure = .startFailed(log: "exit status \(status)\n" + log.tail())
        }
      } catch {
        locked { startFailure = error }
      }
      pause = -began.timeIntervalSinceNow > 10 ? 0.1 : min(pause * 2, 5)
      locked {
        let end = Date(timeIntervalSinceNow: pause)
        while !isStopping, condition.wait(until: end) {}
      }
    }
    locked {
      hasEnded = true
      condition.broadcast()
    }
  }

  private func keepLogSmall() {
    while !locked({ hasEnded }) {
      log.rotate()
      locked { if !hasEnded { _ = condition.wait(until: Date(timeIntervalSinceNow: PostgresLog.interval)) } }
    }
  }

  private func launch() throws(EmbeddedError) -> pid_t {
    let output = open(log.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard output >= 0 else { throw .errno(log.path) }
    defer { close(output) }
    condition.lock()
    defer { condition.unlock() }
    // Under the lock, so that stop() either sees the child or keeps it from being started.
    guard !isStopping else { throw .startFailed(log: "stopping") }
    child = try ChildProcess.spawn(binaries.postgres, arguments, as: user, output: output)
    startFailure = nil
    return child
  }
}
