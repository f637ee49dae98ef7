package import Foundation

/// The threads that hash passwords, and the bounded queue before them.
///
/// Hashing is made to be slow, so it happens nowhere else: on as many threads as there are cores, at the lowest priority,
/// each with its own block of memory. What does not fit into the queue is refused before any work, and a tenant with a
/// storm of sign-ins can not keep the others out (`FairQueue`).
package final class HashPool: Sendable {
  /// How large the pool is.
  package struct Limits: Sendable {
    /// Threads; by default one for each core.
    package var threads: Int
    /// How many may wait.
    package var waiting: Int

    package init(threads: Int = ProcessInfo.processInfo.activeProcessorCount, waiting: Int = 64) {
      self.threads = min(max(threads, 1), 256)
      self.waiting = min(max(waiting, 1), 4096)
    }
  }

  /// What the pool has done since it was made, for metrics.
  package struct Counts: Sendable, Equatable {
    /// In the queue, and in work, at this moment.
    package var waiting = 0
    package var running = 0
    /// Hashes made or checked.
    package var done = 0
    /// Refused or pushed out because the queue was full.
    package var refused = 0
    /// Given up because the deadline had passed or the caller had gone, before any work.
    package var abandoned = 0
  }

  private let desk: HashDesk
  private let threads: LockBox<[pthread_t]>

  /// Starts the threads.
  /// - Parameter monotonic: nanoseconds of a clock that never goes back; deadlines are given in it.
  package convenience init(limits: Limits = Limits(), monotonic: @escaping @Sendable () -> UInt64) {
    self.init(limits: limits, monotonic: monotonic, perform: HashWork.perform)
  }

  /// As above with other work in place of hashing, for tests of the queue.
  init(
    limits: Limits, monotonic: @escaping @Sendable () -> UInt64,
    perform: @escaping @Sendable (HashWork) -> HashOutcome
  ) {
    let desk = HashDesk(limits: limits, monotonic: monotonic, perform: perform)
    self.desk = desk
    threads = LockBox((0..<limits.threads).compactMap { _ in HashThread.start(desk) })
  }

  deinit { shutDown() }

  /// A new hash of `password`, to be stored.
  /// - Parameters:
  ///   - tenant: whose share of the queue this uses.
  ///   - deadline: when, on the pool's clock, the caller no longer wants to wait for its turn.
  package func hash(_ password: Password, tenant: UUID, deadline: UInt64) async throws(HashPoolError) -> String {
    switch try await submit(.hash(password), tenant: tenant, deadline: deadline) {
    case .hash(let text): return text
    case .verdict, .failed: throw .outOfMemory
    }
  }

  /// Checks `password` against what is stored; with `nil` (no such account, or one without password) the same work is
  /// done and the answer is `differs`. Parameters as for `hash`.
  package func verify(
    _ password: Password, against stored: String?, tenant: UUID, deadline: UInt64
  ) async throws(HashPoolError) -> PasswordVerdict {
    switch try await submit(.verify(password, stored: stored), tenant: tenant, deadline: deadline) {
    case .verdict(let verdict): return verdict
    case .hash, .failed: throw .outOfMemory
    }
  }

  /// Refuses at once when there is no room for one more of this tenant, as `hash` and `verify` would: for those who do
  /// something before. There may be none any more when they come to it.
  package func demandRoom(for tenant: UUID) throws(HashPoolError) {
    if let refusal = desk.fullness(for: tenant) { throw refusal }
  }

  /// What has happened so far.
  package var counts: Counts { desk.counts }

  /// Refuses everybody who waits or comes from now on, lets each thread finish what it has in hand, and returns when they
  /// have ended: blocks for about one hash. May be called more than once.
  package func shutDown() {
    desk.close()
    let ended = threads.withLock { threads in
      defer { threads = [] }
      return threads
    }
    for thread in ended { pthread_join(thread, nil) }
  }

  private func submit(_ work: HashWork, tenant: UUID, deadline: UInt64) async throws(HashPoolError) -> HashOutcome {
    let id = desk.nextID()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        desk.enqueue(HashJob(id: id, deadline: deadline, work: work, continuation: continuation), for: tenant)
        // A cancellation before the line above found nothing to take out of the queue.
        if Task.isCancelled { desk.abandon(id) }
      }
    } onCancel: {
      desk.abandon(id)
    }
    return try result.get()
  }
}

/// Why the pool gave no answer. In every case no hash was computed.
package enum HashPoolError: Error, Equatable, Sendable {
  /// Too many wait already; try again after so many seconds (1 to 30).
  case overloaded(retryAfter: Int)
  /// The deadline passed in the queue, or the caller's task was cancelled there.
  case abandoned
  /// The pool is closed.
  case shutDown
  /// Hashing needs memory that is not there.
  case outOfMemory
}
