import Glibc

/// The loops of a process and their threads.
package final class LoopGroup: Sendable {
  /// The work of the loops.
  package enum Purpose: Sendable {
    /// Answers to requests. Each loop is judged calm or busy (`LoopLoad`); with `priority` a calm one goes before
    /// ordinary threads, where the system lets it (`RealTimePriority`).
    case requests(priority: Bool)
    /// Work for which no request waits: ordinary threads, never calm.
    case background

    /// Whether a loop's load is judged.
    var isJudged: Bool {
      switch self {
      case .requests: true
      case .background: false
      }
    }

    /// Whether a calm loop has real-time priority.
    var hasPriority: Bool {
      switch self {
      case .requests(let priority): priority
      case .background: false
      }
    }
  }

  package let loops: [Loop]
  private let purpose: Purpose
  private let threads = Locked<[pthread_t]>([])

  /// Makes `count` loops (at least one); no thread runs yet. A peer that went away must end a write, never the process:
  /// SIGPIPE is ignored from here on.
  package init(count: Int, named name: String = "loop", for purpose: Purpose = .requests(priority: true)) {
    signal(SIGPIPE, SIG_IGN)
    loops = (0..<max(1, count)).map { Loop(name: "\(name)-\($0)") }
    self.purpose = purpose
  }

  /// Starts one thread per loop. Once; a second call does nothing.
  package func start() {
    threads.withLock { running in
      guard running.isEmpty else { return }
      running = loops.map { [purpose] loop in startThread { loop.run(for: purpose) } }
    }
  }

  /// `stop` was called on a loop's thread.
  package struct StopRefused: Error, Sendable {}

  /// Stops every loop after its present turn and joins its thread. Throws on the thread of any loop, and nothing is
  /// stopped then: a loop can not wait for its own end, and no loop may wait for another's.
  package func stop() throws(StopRefused) {
    // GUARD: loops: no loop's thread waits for the end of loops
    guard Loop.current == nil else { throw StopRefused() }
    let running = threads.withLock { list in
      defer { list = [] }
      return list
    }
    guard !running.isEmpty else { return }
    for loop in loops { loop.stop() }
    for thread in running { pthread_join(thread, nil) }
  }
}

/// Starts a thread running `body`. Only out of memory or of threads at start can make it fail.
private func startThread(_ body: @escaping @Sendable () -> Void) -> pthread_t {
  final class Box: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var thread = pthread_t()
  let failure = pthread_create(
    &thread, nil,
    { context in
      // SAFETY: exactly the box retained below, released here once.
      if let context { Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body() }
      return nil
    }, Unmanaged.passRetained(Box(body)).toOpaque())
  precondition(failure == 0, "pthread_create: error \(failure)")
  return thread
}
