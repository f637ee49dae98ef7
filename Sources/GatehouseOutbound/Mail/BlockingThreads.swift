import Foundation

/// A few threads of its own for calls that block, so that no event loop ever does. Each thread makes its worker (a curl
/// handle, say) at the first job and drops it after it was idle for a while. The threads end with this object.
final class BlockingThreads<Worker>: Sendable {
  typealias Job = @Sendable (Worker) -> Void

  private let queue: JobQueue<Worker>
  private let count: Int
  private let name: String
  private let makeWorker: @Sendable () -> Worker

  /// `count` threads, started at the first job; `limit` jobs may wait; `idle` is in seconds.
  init(
    name: String, count: Int, limit: Int, idle: TimeInterval = 30, makeWorker: @escaping @Sendable () -> Worker
  ) {
    self.name = name
    self.count = count
    self.makeWorker = makeWorker
    queue = JobQueue(limit: limit, idle: idle)
  }

  deinit { queue.close() }

  /// Runs `body` on one of the threads and hands back its result; nil at once when too many jobs wait already.
  func run<Result: Sendable>(_ body: @escaping @Sendable (Worker) -> Result) async -> Result? {
    await withCheckedContinuation { continuation in
      let start = queue.add { worker in continuation.resume(returning: body(worker)) }
      switch start {
      case .refused: continuation.resume(returning: nil)
      case .queued(let first): if first { startThreads() }
      }
    }
  }

  private func startThreads() {
    for _ in 0..<count {
      let thread = Thread { [queue, makeWorker] in Self.work(queue, makeWorker) }
      thread.name = name
      thread.start()
    }
  }

  private static func work(_ queue: JobQueue<Worker>, _ makeWorker: @Sendable () -> Worker) {
    var worker: Worker?
    while true {
      switch queue.next(canIdle: worker != nil) {
      case .job(let job):
        let ready = worker ?? makeWorker()
        worker = ready
        job(ready)
      case .idle: worker = nil
      case .closed: return
      }
    }
  }
}

/// The jobs of `BlockingThreads`, first in, first out.
private final class JobQueue<Worker>: @unchecked Sendable {
  enum Next {
    case job(BlockingThreads<Worker>.Job)
    case idle
    case closed
  }

  enum Added {
    case queued(first: Bool)
    case refused
  }

  // INVARIANT: everything below is touched only while `condition` is locked; that is why this is Sendable.
  private let condition = NSCondition()
  private var jobs: [BlockingThreads<Worker>.Job] = []
  private var started = false
  private var closed = false
  private let limit: Int
  private let idle: TimeInterval

  init(limit: Int, idle: TimeInterval) {
    self.limit = limit
    self.idle = idle
  }

  func add(_ job: @escaping BlockingThreads<Worker>.Job) -> Added {
    condition.withLock {
      guard !closed, jobs.count < limit else { return .refused }
      jobs.append(job)
      let first = !started
      started = true
      condition.signal()
      return .queued(first: first)
    }
  }

  /// Waits for the next job; with `canIdle`, gives up after the idle time.
  func next(canIdle: Bool) -> Next {
    condition.withLock {
      let deadline = Date(timeIntervalSinceNow: idle)
      while jobs.isEmpty {
        if closed { return .closed }
        if !canIdle {
          condition.wait()
        } else if !condition.wait(until: deadline) {
          return jobs.isEmpty ? (closed ? .closed : .idle) : .job(jobs.removeFirst())
        }
      }
      return .job(jobs.removeFirst())
    }
  }

  func close() {
    condition.withLock {
      closed = true
      condition.broadcast()
    }
  }
}
