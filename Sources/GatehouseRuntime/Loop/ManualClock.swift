/// The time of a loop that stands still until a test moves it: deadlines are then tested without waiting for them.
/// Confined to its loop.
final class ManualClock {
  private(set) var now = ContinuousClock.now
  private var waiting: [(due: ContinuousClock.Instant, timer: LoopTimer)] = []

  func arm(_ timer: LoopTimer, _ delay: Duration) { waiting.append((now + max(delay, .zero), timer)) }

  func disarm(_ timer: LoopTimer) { waiting.removeAll { $0.timer === timer } }

  /// Moves to the timer that is next within `limit` and fires it; moves to `limit` and says false if there is none.
  func fireNext(until limit: ContinuousClock.Instant) -> Bool {
    // Of several that are due at once the first that was armed.
    guard let index = waiting.indices.min(by: { waiting[$0].due < waiting[$1].due }), waiting[index].due <= limit else {
      now = max(now, limit)
      return false
    }
    let next = waiting.remove(at: index)
    now = max(now, next.due)
    next.timer.fire()
    return true
  }
}
