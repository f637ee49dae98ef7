import CPlatform

/// Whether somebody for whom people wait has little to do, and then goes before ordinary threads (real-time priority, sched(7)),
/// where the system lets it: a loop, or a process of the database that answers one.
///
/// What they have to do is short. As ordinary threads they wait for whole slices of whoever has their processor, a few
/// milliseconds each; hashing at nice 19 on the next processor does not make that one free in the eyes of Linux. One that is
/// busy for longer is an ordinary thread until it is calm: nobody starves beside it. A single job that does not end is nothing
/// that is judged here; the kernel leaves others their twentieth of the time (`sched_rt_runtime_us`).
package struct Precedence {
  /// How long one is watched before it is judged: what comes in bursts of some ten milliseconds is calm on the whole.
  static let watched: Duration = .milliseconds(100)
  /// One may have a processor for one of so many parts of that time and go first, so that a loop and the process that answers it
  /// leave a part to others.
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
  package mutating func judge(at now: ContinuousClock.Instant) {
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
    let isAllowed = platform_go_first(0, true) == 0
    return Precedence(at: .now, used: { timeOfProcessor(of: 0) }) {
      if isAllowed { _ = platform_go_first(0, $0) }
    }
  }

  /// That of a process with one thread, which goes first from here on; nil where it may not.
  package static func of(process: Int32) -> Precedence? {
    guard process > 0, platform_go_first(process, true) == 0 else { return nil }
    return Precedence(at: .now, used: { timeOfProcessor(of: process) }) { _ = platform_go_first(process, $0) }
  }

  /// How long the process has had a processor; 0 is the calling thread.
  static func timeOfProcessor(of process: Int32) -> Duration {
    .nanoseconds(Int64(clamping: platform_processor_time(process)))
  }
}
