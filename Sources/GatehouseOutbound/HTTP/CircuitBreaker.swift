/// Whether a peer that failed again and again is asked at all. Pure: the time is handed in.
///
/// Closed, every request goes. After `failures` in a row it opens: nothing goes for a pause, then one request may try
/// (half open). If that one works everything goes again; if not, the next pause is twice as long.
struct CircuitBreaker: Sendable {
  typealias Instant = ContinuousClock.Instant

  struct Limits: Sendable {
    /// Failures in a row that open it.
    var failures = 5
    var pause: Duration = .seconds(5)
    var longestPause: Duration = .seconds(300)
  }

  enum Answer: Sendable, Equatable {
    /// Go; `isProbe` for the one that tries a half-open circuit, to be told to `record`.
    case go(isProbe: Bool)
    case refused(retryAfter: Duration)
  }

  enum Outcome: Sendable {
    case success, failure
    /// Says nothing of the peer: given up before an answer could come.
    case neutral
  }

  private enum State {
    case closed(failures: Int)
    case open(until: Instant, pause: Duration)
    case probing(pause: Duration)
  }

  private let limits: Limits
  private var state = State.closed(failures: 0)

  init(_ limits: Limits = Limits()) { self.limits = limits }

  /// Nothing is remembered: no failure in a row.
  var isPristine: Bool {
    if case .closed(failures: 0) = state { return true }
    return false
  }

  /// Whether a request may go now. A caller that is told to go MUST `record` its outcome.
  mutating func admit(at now: Instant) -> Answer {
    switch state {
    case .closed: return .go(isProbe: false)
    case .probing(let pause): return .refused(retryAfter: pause)
    case .open(let until, let pause):
      guard now >= until else { return .refused(retryAfter: now.duration(to: until)) }
      state = .probing(pause: pause)
      return .go(isProbe: true)
    }
  }

  mutating func record(_ outcome: Outcome, isProbe: Bool, at now: Instant) {
    switch (outcome, state) {
    // A server that answers is there, even if the request began before the circuit opened.
    case (.success, _): state = .closed(failures: 0)
    case (.failure, .closed(let failures)):
      state =
        failures + 1 < limits.failures
        ? .closed(failures: failures + 1) : .open(until: now + limits.pause, pause: limits.pause)
    case (.failure, .probing(let pause)) where isProbe:
      let next = min(pause * 2, limits.longestPause)
      state = .open(until: now + next, pause: next)
    case (.neutral, .probing(let pause)) where isProbe: state = .open(until: now, pause: pause)
    case (.failure, _), (.neutral, _): break
    }
  }
}
