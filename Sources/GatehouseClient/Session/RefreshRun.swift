/// One refresh with its repetitions, and the callers that wait for it. They are told of a failure while the run goes
/// on: a person without a network need not wait for its end. A later call joins it, and ends its pause.
final class RefreshRun: Sendable {
  typealias Outcome = Result<StoredSession, AuthError>

  private struct Content {
    var outcome = Promise<Outcome>()
    var pause: (after: AuthError, sleep: Task<Void, any Error>)?
  }

  private let content = Locked(Content())

  /// The outcome of the try that is under way or begins now; nil when the waiting task was cancelled. While the server
  /// asks for patience no try begins, and its last error is the outcome.
  func wait() async -> Outcome? {
    let (told, outcome) = content.withLock { content -> (AuthError?, Promise<Outcome>) in
      if let pause = content.pause, pause.after.retryAfter != nil { return (pause.after, content.outcome) }
      content.pause?.sleep.cancel()
      return (nil, content.outcome)
    }
    if let told { return .failure(told) }
    return await outcome.wait()
  }

  /// How many callers wait.
  var waiting: Int { content.withLock { $0.outcome }.waiting }

  /// A try ended, and another one begins after a pause or with the next caller.
  func pause(after error: AuthError, _ sleep: Task<Void, any Error>) async {
    let outcome = content.withLock { content in
      defer { (content.outcome, content.pause) = (Promise(), (error, sleep)) }
      return content.outcome
    }
    outcome.fulfil(.failure(error))
    _ = await sleep.result
    content.withLock { $0.pause = nil }
  }

  /// The last try ended.
  func end(_ outcome: Outcome) { content.withLock { $0.outcome }.fulfil(outcome) }
}
