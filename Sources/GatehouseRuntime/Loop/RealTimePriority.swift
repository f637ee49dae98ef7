import CPlatform

/// The lowest real-time priority (sched(7)) of the thread that made this: it goes before ordinary threads.
///
/// A loop's jobs are short. As an ordinary thread it waits for whole slices of the thread that has its processor, a few
/// milliseconds each; hashing at nice 19 on the next processor does not make that one free in the eyes of Linux. A busy
/// loop is an ordinary thread, so that other threads do not starve; the kernel leaves them a twentieth of the time in
/// any case (`sched_rt_runtime_us`).
struct RealTimePriority {
  /// Takes it for the calling thread; nil where the system does not allow it.
  init?() {
    guard platform_go_first(true) == 0 else { return nil }
  }

  /// Takes it or gives it up. On the same thread.
  func set(_ isFirst: Bool) { _ = platform_go_first(isFirst) }
}
