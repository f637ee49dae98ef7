import CPlatform

/// Whether a loop that answers requests has little to do, and then goes before ordinary threads (real-time priority, sched(7)), where
/// the system lets it.
///
/// A loop's jobs are short. As an ordinary thread it waits for whole slices of the thread that has its processor, a few milliseconds
/// each; hashing at nice 19 on the next processor does not make that one free in the eyes of Linux. A loop that is busy for longer is an
/// ordinary thread until it is calm, so that other threads do not starve. A single job that does not end is not judged here; the kernel
/// leaves other threads a twentieth of the time (`sched_rt_runtime_us`).
struct Precedence {
  /// How long one is watched before it is judged: what comes in bursts of some ten milliseconds is calm on the whole.
  static let watched: Duration = .milliseconds(100)
  /// A loop may have a processor for one of so many parts of that time and go first.
  static let parts = 3

  private(set) var isFirst = true
  private var since: ContinuousClock.Instant
  private var usedBefore: Duration
  private let used: () -> Duration
  private let change: (Bool) -> Void

  /// One that goes first as of `now`. `used`: the time it has had a processor so far. `change` is told whenever it goes first no
  /// longer, or again.
  init(at now: ContinuousClock.Instant, used: @escaping () -> Duration, change: @escaping (Bool) -> Void) {
    since = now
    usedBefore = used()
    self.used = used
    self.change = change
  }

  /// Judges the time since the last judgement, once it is long enough.
  mutating func judge(at now: ContinuousClock.Instant) {
    let elapsed = now - since
    guard elapsed >= Precedence.watched else { return }
    let used = used()
    let isCalm = (used - usedBefore) * Precedence.parts <= elapsed
    (since, usedBefore) = (now, used)
    // GUARD: loops: who is busy goes first no more
    guard isCalm != isFirst else { return }
    isFirst = isCalm
    change(isCalm)
  }

  /// The calling thread's, a loop's, which goes first from here on, if it may.
  static func ofThisThread() -> Precedence {
    let isAllowed = platform_go_first(true) == 0
    return Precedence(at: .now, used: timeOfProcessor) {
      if isAllowed { _ = platform_go_first($0) }
    }
  }

  /// How long the calling thread has had a processor.
  static func timeOfProcessor() -> Duration { .nanoseconds(Int64(clamping: platform_processor_time())) }
}
