/// A bound on an action of a peer: so many times at once, and so many times a second from then on.
struct TokenBucket {
  private let capacity: Int
  private let perSecond: Int
  private var level: Int
  private var since: ContinuousClock.Instant

  init(capacity: Int, perSecond: Int, now: ContinuousClock.Instant) {
    self.capacity = capacity
    self.perSecond = perSecond
    level = capacity
    since = now
  }

  /// False when there is nothing left.
  mutating func take(now: @autoclosure () -> ContinuousClock.Instant) -> Bool {
    if level == 0 { refill(now()) }
    guard level > 0 else { return false }
    level -= 1
    return true
  }

  /// Gives some back.
  mutating func give(_ count: Int) { level = min(capacity, level + count) }

  private mutating func refill(_ now: ContinuousClock.Instant) {
    let elapsed = now - since
    // Longer than this fills any bucket, and does not overflow.
    let milliseconds = Int(min(elapsed, .seconds(3600)) / .milliseconds(1))
    let earned = milliseconds * perSecond / 1000
    guard earned > 0 else { return }
    since = now
    level = min(capacity, earned)
  }
}
