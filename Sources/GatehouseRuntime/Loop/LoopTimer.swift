import CEvent
import Glibc

/// A closure that runs once, later. It lives until it has fired or `cancel()`. Loop thread only.
package final class LoopTimer {
  private let loop: Loop
  private var body: (() -> Void)?
  private var event: OpaquePointer?

  init(loop: Loop, delay: Duration, body: @escaping () -> Void) {
    self.loop = loop
    self.body = body
    if let clock = loop.clock {
      clock.arm(self, delay)
      return
    }
    event = event_new(
      loop.base, -1, 0,
      { _, _, context in
        guard let context else { return }
        // SAFETY: the timer is retained until its event is freed, and a freed event does not fire.
        Unmanaged<LoopTimer>.fromOpaque(context).takeUnretainedValue().fire()
      }, Unmanaged.passRetained(self).toOpaque())
    var time = delay.timeval
    event_add(event, &time)
  }

  /// The body will not run. Safe to call twice, after the timer fired, and inside its body.
  package func cancel() {
    assert(loop.isCurrent)
    _ = finish()
  }

  /// The time has come.
  func fire() { finish()?() }

  /// Frees the event and hands out the body, the first time only.
  private func finish() -> (() -> Void)? {
    guard let last = body else { return nil }
    body = nil
    guard let event else {
      loop.clock?.disarm(self)
      return last
    }
    event_free(event)
    self.event = nil
    // SAFETY: balances the retain of `init`, once, because `body` was still set.
    Unmanaged.passUnretained(self).release()
    return last
  }
}

extension Loop {
  /// Runs `body` once, `delay` from now (a negative delay counts as none, one beyond a year as a year). Loop thread
  /// only.
  @discardableResult
  package func after(_ delay: Duration, _ body: @escaping () -> Void) -> LoopTimer {
    assert(isCurrent)
    return LoopTimer(loop: self, delay: delay, body: body)
  }
}

extension Duration {
  /// Rounded up to the next microsecond, within zero and a year.
  fileprivate var timeval: timeval {
    let bounded = min(max(self, .zero), .seconds(365 * 86_400))
    let (seconds, attoseconds) = bounded.components
    let microseconds = (attoseconds + 999_999_999_999) / 1_000_000_000_000
    return Glibc.timeval(
      tv_sec: Int(seconds) + Int(microseconds / 1_000_000), tv_usec: Int(microseconds % 1_000_000))
  }
}
