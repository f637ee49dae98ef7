/// The work of a hash thread.
enum HashWork: Sendable {
  case hash(Password)
  case verify(Password, stored: String?)

  /// Does the work on the calling thread; what it costs is added to `work`, in KiB (`PasswordCost`).
  func perform(with hashes: PasswordHashes, counting work: inout UInt64) -> HashOutcome {
    switch self {
    case .hash(let password):
      if let hash = try? hashes.hash(password, counting: &work) { .hash(hash) } else { .failed }
    case .verify(let password, let stored): .verdict(hashes.verify(password, against: stored, counting: &work))
    }
  }

  /// Whether the work takes no longer than a new hash. A stored hash of another cost may take a hundred times as long.
  func isUsual(for hashes: PasswordHashes) -> Bool {
    switch self {
    case .hash: true
    case .verify(let password, let stored): password.earlier == nil && hashes.isUsual(stored)
    }
  }
}

/// The result of a hash thread's work.
enum HashOutcome: Sendable {
  case hash(String)
  case verdict(PasswordVerdict)
  case failed
}

/// A caller that waits in the queue. INVARIANT: the continuation is resumed once, by the code that takes the ticket out
/// of the queue or refuses it.
struct HashWaiter: Sendable {
  let id: UInt64
  let deadline: UInt64
  let continuation: CheckedContinuation<HashPoolError?, Never>
}

/// Work for a thread, and the caller that waits. INVARIANT: the continuation is resumed once, by the code that takes
/// the job.
struct HashJob: Sendable {
  let id: UInt64
  let deadline: UInt64
  let work: HashWork
  let isUsual: Bool
  let continuation: CheckedContinuation<Result<HashOutcome, HashPoolError>, Never>
}

/// A job that is done, whose caller has not been told.
struct HashAnswer: Sendable {
  let job: HashJob
  let result: Result<HashOutcome, HashPoolError>

  func give() { job.continuation.resume(returning: result) }
}
