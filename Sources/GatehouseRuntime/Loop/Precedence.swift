import CPlatform

/// Whether a loop has little to do, and then goes before ordinary threads (real-time priority, sched(7)), where the system
/// lets it.
///
/// What a loop has to do is short, and people wait for it. As an ordinary thread it waits for whole slices of whoever has its
/// processor, a few milliseconds each; hashing at nice 19 on the next processor does not make that one free in the eyes of
/// Linux. A loop that is busy for longer is an ordinary thread until it is calm: nobody starves beside it. A single job that does
/// not end is nothing that is judged here; the kernel leaves others their twentieth of the time (`sched_rt_runtime_us`).
struct Precedence {
  /// How long one that goes first is watched before it is judged, and how long one that does not.
  static let watched: Duration = .milliseconds(20)
  static let calmed: Duration = .milliseconds(100)

  private(set) var isFirst = true
  private var since: ContinuousClock.Instant
  private var usedBefore: Duration
  private let change: (Bool) -> Void

  /// One that goes first as of `now`; `change` is told whenever that changes. `used`: the time it has had a processor so far.
  init(at now: ContinuousClock.Instant, used: Duration, change: @escaping (Bool) -> Void) {
    since = now
    usedBefore = used
    self.change = change
  }

  /// Judges the time since the last judgement, once it is long enough: who had a processor for more than half of it is busy.
  mutating func judge(at now: ContinuousClock.Instant, used: () -> Duration) {
    let elapsed = now - since
    guard elapsed >= (isFirst ? Precedence.watched : Precedence.calmed) else { return }
    let used = used()
    let isCalm = (used - usedBefore) * 2 <= elapsed
    (since, usedBefore) = (now, used)
    guard isCalm != isFirst else { return }
    isFirst = isCalm
    change(isCalm)
  }

  /// The calling thread's, which goes first from here on, if it may.
  static func ofThisThread() -> Precedence {
    let isAllowed = platform_go_first(true) == 0
    return Precedence(at: .now, used: timeOfThisThread()) { if isAllowed { _ = platform_go_first($0) } }
  }

  static func timeOfThisThread() -> Duration { .nanoseconds(Int64(clamping: platform_thread_time())) }
}
