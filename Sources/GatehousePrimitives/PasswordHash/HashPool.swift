package import Foundation

/// The threads that hash passwords, and the bounded queue for them.
///
/// Hashing is made to be slow, so it happens nowhere else: on as many threads as there are cores, at the lowest
/// priority, each with its own block of memory. A request that needs a hash waits for a turn before doing anything
/// else: what does not fit into the queue is refused before any work, a storm reaches the database no faster than its
/// passwords can be hashed, and a tenant with such a storm can not keep the others out (`FairQueue`).
package final class HashPool: Sendable {
  /// How large the pool is.
  package struct Limits: Sendable {
    /// Threads; by default one for each core.
    package var threads: Int
    /// How many may have their turn at a time: those who are hashed for, and enough others who look up or store
    /// meanwhile that no thread waits for them.
    package var permits: Int
    /// How many may wait for theirs.
    package var waiting: Int
    /// Whether answers are given together in a storm (`AnswerBatch`); else each as soon as it is done.
    package var batchesAnswers: Bool

    /// - Parameter turns: nil for four times the threads.
    package init(
      threads: Int = ProcessInfo.processInfo.activeProcessorCount, permits: Int? = nil, waiting: Int = 64,
      batchesAnswers: Bool = true
    ) {
      self.threads = min(max(threads, 1), 256)
      self.permits = min(max(permits ?? 4 * self.threads, 1), 1024)
      self.waiting = min(max(waiting, 1), 4096)
      self.batchesAnswers = batchesAnswers
    }
  }

  /// The pool's counts since it was made, for metrics.
  package struct Counts: Sendable, Equatable {
    /// In the queue, having their turn, and in work, at this moment.
    package var waiting = 0
    package var permits = 0
    package var running = 0
    /// Hashes made or checked.
    package var done = 0
    /// KiB of memory that those went through, each pass counted.
    package var work: UInt64 = 0
    /// Refused or pushed out because the queue was full.
    package var refused = 0
    /// Given up because the deadline had passed or the caller had gone, before any work.
    package var abandoned = 0
  }

  private let hashes: PasswordHashes
  private let scheduler: HashScheduler
  private let threads: LockBox<[pthread_t]>

  /// Starts the threads. Each keeps the memory of one hash.
  /// - Parameters:
  ///   - cost: of new hashes, and of what is hashed where there is no account.
  ///   - monotonic: nanoseconds of a clock that never goes back; deadlines are given in it.
  package convenience init(
    limits: Limits = Limits(), cost: PasswordCost, monotonic: @escaping @Sendable () -> UInt64
  ) {
    let hashes = PasswordHashes(cost: cost)
    self.init(limits: limits, hashes: hashes, monotonic: monotonic) { $0.perform(with: hashes, counting: &$1) }
  }

  /// As above with other work in place of hashing, for tests of the queue.
  init(
    limits: Limits, hashes: PasswordHashes, monotonic: @escaping @Sendable () -> UInt64,
    perform: @escaping @Sendable (HashWork, _ counting: inout UInt64) -> HashOutcome
  ) {
    self.hashes = hashes
    let arena = Int(hashes.current.cost.memory) * 1024
    let scheduler = HashScheduler(limits: limits, arena: arena, monotonic: monotonic, perform: perform)
    self.scheduler = scheduler
    threads = LockBox((0..<limits.threads).compactMap { _ in HashThread.start(scheduler) })
  }

  deinit { shutDown() }

  /// Waits for a turn; refuses at once when too many wait already.
  /// - Parameters:
  ///   - tenant: whose share of the queue this uses.
  ///   - deadline: when, on the pool's clock, the caller no longer wants to wait for the turn or for a thread.
  package func permit(for tenant: UUID, deadline: UInt64) async throws(HashPoolError) -> HashPermit {
    let id = scheduler.nextID()
    let refusal = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        scheduler.enter(HashWaiter(id: id, deadline: deadline, continuation: continuation), for: tenant)
        // A cancellation before the line above found nothing to take out of the queue.
        if Task.isCancelled { scheduler.abandon(id) }
      }
    } onCancel: {
      scheduler.abandon(id)
    }
    if let refusal { throw refusal }
    return HashPermit(scheduler: scheduler, id: id, deadline: deadline)
  }

  /// A new hash of `password`, to be stored.
  package func hash(_ password: Password, in permit: consuming HashPermit) async throws(HashPoolError) -> String {
    let span = Trace.begin(.work)
    defer { span?.end("password.hash") }
    switch try await submit(.hash(password), permit) {
    case .hash(let text): return text
    case .verdict, .failed: throw .outOfMemory
    }
  }

  /// Checks `password` against what is stored; with `nil` (no such account, or one without password) the same work is
  /// done and the answer is `differs`, as it is for a wrong password and a hash that is cheaper than new ones.
  package func verify(
    _ password: Password, against stored: String?, in permit: consuming HashPermit
  ) async throws(HashPoolError) -> PasswordVerdict {
    let span = Trace.begin(.work)
    defer { span?.end("password.verify") }
    switch try await submit(.verify(password, stored: stored), permit) {
    case .verdict(let verdict): return verdict
    case .hash, .failed: throw .outOfMemory
    }
  }

  /// The counts so far.
  package var counts: Counts { scheduler.counts }

  /// Refuses all callers that wait or come from now on, lets each thread finish what it has in hand, and returns when
  /// the threads have ended: blocks for about one hash. May be called more than once.
  package func shutDown() {
    scheduler.close()
    let ended = threads.withLock { threads in
      defer { threads = [] }
      return threads
    }
    for thread in ended { pthread_join(thread, nil) }
  }

  private func submit(_ work: HashWork, _ permit: consuming HashPermit) async throws(HashPoolError) -> HashOutcome {
    let (id, deadline) = (permit.id, permit.deadline)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        scheduler.submit(
          HashJob(
            id: id, deadline: deadline, work: work, isUsual: work.isUsual(for: hashes), continuation: continuation))
        if Task.isCancelled { scheduler.abandon(id) }
      }
    } onCancel: {
      scheduler.abandon(id)
    }
    return try result.get()
  }
}

/// The turn of one caller of a `HashPool`: good for one password, and the next one's as soon as it is let go of.
package struct HashPermit: ~Copyable, Sendable {
  fileprivate let scheduler: HashScheduler
  fileprivate let id: UInt64
  fileprivate let deadline: UInt64

  deinit { scheduler.leave() }
}

/// Why the pool gave no turn, or no answer. In every case no hash was computed.
package enum HashPoolError: Error, Equatable, Sendable {
  /// Too many wait already; try again after so many seconds (1 to 30).
  case overloaded(retryAfter: Int)
  /// The deadline passed in the queue, or the caller's task was cancelled before its password was hashed.
  case abandoned
  /// The pool is closed.
  case shutDown
  /// Hashing needs memory that is not there.
  case outOfMemory
}
