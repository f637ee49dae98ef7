/// Whether a peer takes what it asked for, judged over whole spans of time: a byte now and then is no progress.
struct Pace {
  private var since: ContinuousClock.Instant?
  private var taken = 0

  /// The peer owes nothing that would be judged.
  mutating func rest() { since = nil }

  /// Whether the peer, which has had too much to take for a whole span, took less than the least in it. `taken` is what
  /// it has taken in all.
  mutating func isTooSlow(taken now: Int, at time: ContinuousClock.Instant, _ limits: HTTPLimits) -> Bool {
    guard let since else {
      (self.since, taken) = (time, now)
      return false
    }
    let elapsed = time - since
    guard elapsed >= limits.taking else { return false }
    let least = limits.takingRate * Int(elapsed.components.seconds)
    defer { (self.since, taken) = (time, now) }
    return now - taken < least
  }
}
