/// What a hash thread is asked to do.
enum HashWork: Sendable {
  case hash(Password)
  case verify(Password, stored: String?)

  /// Does it, on the calling thread.
  @Sendable static func perform(_ work: HashWork) -> HashOutcome {
    switch work {
    case .hash(let password):
      if let hash = try? PasswordHashes.hash(password) { .hash(hash) } else { .failed }
    case .verify(let password, let stored): .verdict(PasswordHashes.verify(password, against: stored))
    }
  }

  /// Whether it takes as long as a new hash does. A hash made with other parameters may take a hundred times as long.
  var isUsual: Bool {
    switch self {
    case .hash: true
    case .verify(_, let stored): stored.map { !PasswordHashes.needsRehash($0) } ?? true
    }
  }
}

/// What came of it.
enum HashOutcome: Sendable {
  case hash(String)
  case verdict(PasswordVerdict)
  case failed
}

/// Somebody who waits in the queue. INVARIANT: the continuation is resumed once, by whoever takes the ticket out of the queue or
/// refuses it.
struct HashTicket: Sendable {
  let id: UInt64
  let deadline: UInt64
  let continuation: CheckedContinuation<HashPoolError?, Never>
}

/// Work for a thread, and who waits for it. INVARIANT: the continuation is resumed once, by whoever takes the job.
struct HashJob: Sendable {
  let id: UInt64
  let deadline: UInt64
  let work: HashWork
  let isUsual: Bool
  let continuation: CheckedContinuation<Result<HashOutcome, HashPoolError>, Never>

  init(
    id: UInt64, deadline: UInt64, work: HashWork,
    continuation: CheckedContinuation<Result<HashOutcome, HashPoolError>, Never>
  ) {
    (self.id, self.deadline, self.work, self.continuation) = (id, deadline, work, continuation)
    isUsual = work.isUsual
  }
}

/// A job that is done, whose caller has not been told.
struct HashAnswer: Sendable {
  let job: HashJob
  let result: Result<HashOutcome, HashPoolError>

  func give() { job.continuation.resume(returning: result) }
}
