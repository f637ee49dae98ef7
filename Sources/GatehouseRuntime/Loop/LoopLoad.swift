import CPlatform

/// How busy a loop that answers requests is: a judgement of its thread's time, which changes nothing by itself.
///
/// A loop is calm as long as it has a processor for a third of the time or less. The judgement is of whole tenths of a
/// second. A single job that does not end is not judged here.
struct LoopLoad {
  /// How long one is watched before it is judged: what comes in bursts of some ten milliseconds is calm on the whole.
  static let watched: Duration = .milliseconds(100)
  /// A calm loop has a processor for one of so many parts of that time.
  static let parts = 3

  /// Whether the loop has little to do, by the last judgement.
  private(set) var isCalm = true
  private var since: ContinuousClock.Instant
  private var usedBefore: Duration
  private let used: () -> Duration

  /// One that is calm as of `now`. `used`: the time it has had a processor so far.
  init(at now: ContinuousClock.Instant, used: @escaping () -> Duration) {
    since = now
    usedBefore = used()
    self.used = used
  }

  /// That of the calling thread, a loop's.
  static func ofThisThread() -> LoopLoad { LoopLoad(at: .now, used: timeOfProcessor) }

  /// Judges the time since the last judgement, once it is long enough. The answer is whether it is calm, where that is
  /// news.
  mutating func judge(at now: ContinuousClock.Instant) -> Bool? {
    let elapsed = now - since
    guard elapsed >= LoopLoad.watched else { return nil }
    let used = used()
    let isCalmNow = (used - usedBefore) * LoopLoad.parts <= elapsed
    (since, usedBefore) = (now, used)
    // GUARD: loops: who is busy goes first no more
    guard isCalmNow != isCalm else { return nil }
    isCalm = isCalmNow
    return isCalmNow
  }

  /// How long the calling thread has had a processor.
  static func timeOfProcessor() -> Duration { .nanoseconds(Int64(clamping: platform_processor_time())) }
}
