extension Loop {
  /// Waits `duration` on the loop's clock. Throws `CancellationError` as soon as the task is cancelled.
  package func sleep(for duration: Duration) async throws {
    let sleeper = Sleeper(loop: self)
    try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Void, any Error>) in
        if isCurrent {
          sleeper.begin(duration, continuation)
        } else {
          execute { sleeper.begin(duration, continuation) }
        }
      }
    } onCancel: {
      execute { sleeper.cancel() }
    }
  }
}

/// One sleeping task.
private final class Sleeper: @unchecked Sendable {
  // SAFETY: after `init`, only the loop's thread calls in.
  private let loop: Loop
  private var timer: LoopTimer?
  private var continuation: UnsafeContinuation<Void, any Error>?
  private var cancelled = false

  init(loop: Loop) { self.loop = loop }

  func begin(_ duration: Duration, _ continuation: UnsafeContinuation<Void, any Error>) {
    guard !cancelled else { return continuation.resume(throwing: CancellationError()) }
    self.continuation = continuation
    timer = loop.after(duration) { [self] in
      take()?.resume()
    }
  }

  func cancel() {
    cancelled = true
    timer?.cancel()
    take()?.resume(throwing: CancellationError())
  }

  /// INVARIANT: the continuation is resumed exactly once, by the caller that takes it first.
  private func take() -> UnsafeContinuation<Void, any Error>? {
    defer {
      continuation = nil
      timer = nil
    }
    return continuation
  }
}
