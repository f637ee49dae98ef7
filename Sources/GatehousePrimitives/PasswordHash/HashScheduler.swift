import CPlatform
import CSodium
import Foundation

/// Where turns are given out, and jobs handed in and taken by the threads: a monitor, one mutex and one condition.
///
/// `@unchecked Sendable`: all mutable state is touched only while `mutex` is held.
final class HashScheduler: @unchecked Sendable {
  private let monotonic: @Sendable () -> UInt64
  private let perform: @Sendable (HashWork, _ counting: inout UInt64) -> HashOutcome
  private let limits: HashPool.Limits
  /// Bytes of memory that each thread keeps.
  let arena: Int
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let arrival = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  /// The tickets whose turn has not come. INVARIANT: empty while a turn is free.
  private var queue: FairQueue<HashWaiter>
  /// Turns that are taken, and their jobs, oldest first: at most as many jobs as turns.
  private var permits = 0
  private var jobs: [HashJob] = []
  /// Answers of jobs that are done, not yet given to their callers.
  private var answers: AnswerBatch
  /// How many threads work on a job that is not usual (`HashJob.isUsual`).
  private var unusual = 0
  private var tally = HashPool.Counts()
  private var lastID: UInt64 = 0
  private var isClosed = false
  /// Moving average of one hash, nanoseconds.
  private var usualDuration: UInt64 = 10_000_000

  init(
    limits: HashPool.Limits, arena: Int, monotonic: @escaping @Sendable () -> UInt64,
    perform: @escaping @Sendable (HashWork, _ counting: inout UInt64) -> HashOutcome
  ) {
    self.monotonic = monotonic
    self.perform = perform
    self.limits = limits
    self.arena = arena
    answers = AnswerBatch(limits)
    queue = FairQueue(capacity: limits.waiting)
    mutex.initialize(to: pthread_mutex_t())
    arrival.initialize(to: pthread_cond_t())
    // SAFETY: both are this object's own memory and stay in place until `deinit`.
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(arrival, nil)
  }

  deinit {
    // SAFETY: every thread holds a reference, so none is left that could wait here.
    pthread_cond_destroy(arrival)
    pthread_mutex_destroy(mutex)
    arrival.deallocate()
    mutex.deallocate()
  }

  private func locked<Answer>(_ body: () -> Answer) -> Answer {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }

  var counts: HashPool.Counts {
    locked {
      var counts = tally
      counts.waiting = queue.count
      counts.permits = permits
      return counts
    }
  }

  func nextID() -> UInt64 {
    locked {
      lastID += 1
      return lastID
    }
  }

  /// Resumes the ticket's continuation: with nil when its turn has come, which is at once while a turn is free; else
  /// with the reason why its turn will never come.
  func enter(_ ticket: HashWaiter, for tenant: UUID) {
    // Resumed outside the lock: a continuation may run the caller's executor.
    let answered: (HashWaiter, HashPoolError?)? = locked {
      guard !isClosed else { return (ticket, .shutDown) }
      // GUARD: hashing: so many turns at a time
      guard permits >= limits.permits else {
        permits += 1
        return (ticket, nil)
      }
      switch queue.add(ticket, for: tenant) {
      case .accepted: return nil
      case .replacing(let pushedOut): return (pushedOut, refusal())
      case .full: return (ticket, refusal())
      }
    }
    if let (ticket, error) = answered { ticket.continuation.resume(returning: error) }
  }

  /// Called with the lock held. The time until a whole queue has been worked off, in whole seconds.
  private func refusal() -> HashPoolError {
    tally.refused += 1
    let perThread = UInt64((queue.count + permits) / limits.threads + 1)
    let (wait, overflow) = perThread.multipliedReportingOverflow(by: usualDuration)
    return .overloaded(retryAfter: overflow ? 30 : Int(min(max(wait / 1_000_000_000 + 1, 1), 30)))
  }

  /// Ends a turn and gives it to the next ticket in the queue whose deadline has not passed.
  func leave() {
    let now = monotonic()
    let (late, next): ([HashWaiter], HashWaiter?) = locked {
      var late: [HashWaiter] = []
      // GUARD: hashing: a turn that is let go of is the next one's
      while let ticket = queue.next() {
        // GUARD: hashing: nor looked up
        if now < ticket.deadline { return (late, ticket) }
        tally.abandoned += 1
        late.append(ticket)
      }
      permits -= 1
      return (late, nil)
    }
    for ticket in late { ticket.continuation.resume(returning: .abandoned) }
    next?.continuation.resume(returning: nil)
  }

  /// Hands in the job of a caller that has a turn.
  func submit(_ job: HashJob) {
    let isTaken = locked {
      guard !isClosed else { return false }
      jobs.append(job)
      pthread_cond_signal(arrival)
      return true
    }
    if !isTaken { job.continuation.resume(returning: .failure(.shutDown)) }
  }

  /// Takes a ticket out of the queue, or a job from before the threads, if it is still there.
  func abandon(_ id: UInt64) {
    let (ticket, job): (HashWaiter?, HashJob?) = locked {
      let ticket = queue.remove { $0.id == id }
      let job = jobs.firstIndex { $0.id == id }.map { jobs.remove(at: $0) }
      if ticket != nil || job != nil { tally.abandoned += 1 }
      return (ticket, job)
    }
    ticket?.continuation.resume(returning: .abandoned)
    job?.continuation.resume(returning: .failure(.abandoned))
  }

  /// Refuses all tickets and jobs that wait, and ends the threads.
  func close() {
    let (tickets, waiting): ([HashWaiter], [HashJob]) = locked {
      isClosed = true
      pthread_cond_broadcast(arrival)
      defer { jobs = [] }
      return (queue.removeAll(), jobs)
    }
    for ticket in tickets { ticket.continuation.resume(returning: .shutDown) }
    for job in waiting { job.continuation.resume(returning: .failure(.shutDown)) }
  }

  /// The next step of a thread: it gives these answers, then does this job if there is one; or clears its block of
  /// memory.
  struct Step {
    var answers: [HashAnswer] = []
    var job: HashJob?
    var clears = false
  }

  /// Waits for something to do; `nil` once the desk is closed. A thread whose block holds what a hash left clears it
  /// before it waits. A hash that follows at once overwrites the block anyway, and clearing it between the two costs 5
  /// % of a hash at OWASP's minimum.
  func next(holdsRemains: Bool = false) -> Step? {
    locked {
      while true {
        if let job = jobs.first {
          jobs.removeFirst()
          tally.running += 1
          if !job.isUsual { unusual += 1 }
          return Step(answers: answers.beforeJob(waiting: queue.count, unusual: unusual), job: job)
        }
        let left = answers.takeAll()
        if !left.isEmpty { return Step(answers: left) }
        if isClosed { return nil }
        // GUARD: hashing: a block is cleared before its thread waits
        if holdsRemains { return Step(clears: true) }
        pthread_cond_wait(arrival, mutex)
      }
    }
  }

  /// Does the job, on the calling thread.
  func work(on job: HashJob) {
    let started = monotonic()
    // GUARD: hashing: who waited too long is not hashed
    guard started < job.deadline else {
      return locked {
        tally.abandoned += 1
        end(job, .failure(.abandoned))
      }
    }
    var work: UInt64 = 0
    let outcome = perform(job.work, &work)
    let ended = monotonic()
    locked {
      tally.done += 1
      tally.work += work
      // Bounded, so that a clock gone wild can not overflow the sum.
      usualDuration = (usualDuration * 7 + min(ended > started ? ended - started : 0, 10_000_000_000)) / 8
      end(job, .success(outcome))
    }
  }

  /// Called with the lock held.
  private func end(_ job: HashJob, _ result: Result<HashOutcome, HashPoolError>) {
    tally.running -= 1
    if !job.isUsual { unusual -= 1 }
    answers.add(HashAnswer(job: job, result: result))
  }

  /// The life of one thread.
  func serve() {
    var holdsRemains = false
    while let errand = next(holdsRemains: holdsRemains) {
      for answer in errand.answers { answer.give() }
      if let job = errand.job {
        work(on: job)
        holdsRemains = true
      }
      if errand.clears {
        HashArena.clear()
        holdsRemains = false
      }
    }
  }
}

/// The block of memory that the calling thread keeps for argon2id.
enum HashArena {
  static func clear() { password_hash_clear_arena() }

  /// Whether the block holds only zeros, for tests.
  static var isClear: Bool { password_hash_arena_is_clear() == 1 }
}

/// A hash thread: lowest priority, its own block of memory for argon2id.
enum HashThread {
  /// `nil` when the system gives no thread.
  static func start(_ scheduler: HashScheduler) -> pthread_t? {
    var thread = pthread_t()
    let handle = Unmanaged.passRetained(scheduler)
    // SAFETY: the reference retained here is taken over by the thread, or released when there is none.
    let status = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        let scheduler = Unmanaged<HashScheduler>.fromOpaque(context).takeRetainedValue()
        platform_name_this_thread("hash")
        // Without either the hashes are right, only slower or less polite.
        _ = platform_nice_this_thread(19)
        _ = password_hash_reserve_arena(scheduler.arena)
        scheduler.serve()
        password_hash_release_arena()
        return nil
      }, handle.toOpaque())
    guard status == 0 else {
      handle.release()
      return nil
    }
    return thread
  }
}
