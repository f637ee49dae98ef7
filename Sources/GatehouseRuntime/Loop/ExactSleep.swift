import CPlatform
import Glibc

extension Loop {
  /// Waits until `moment` on the calling loop, as exactly as the kernel's own timers are. `sleep` is for everything
  /// else: its timers wait for whole milliseconds, counted from the beginning of a turn, so that the moment at which
  /// they end tells when they began.
  ///
  /// It is not ended by cancellation: the wait MUST be short. Where no timer can be had it ends as `sleep` does.
  package func wait(until moment: ContinuousClock.Instant) async {
    while isCurrent, case let rest = moment - ContinuousClock.now, rest > .zero {
      let timer = platform_timer_descriptor(rest.nanoseconds)
      guard timer >= 0 else {
        guard (try? await sleep(for: rest)) != nil else { return }
        continue
      }
      await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
        var watch: Watch?
        watch = self.watch(timer) { _ in
          watch?.cancel()
          watch = nil
          close(timer)
          continuation.resume()
        }
        watch?.interest = .read
      }
    }
  }
}

extension Duration {
  /// At most an hour, which is more than anything waits here.
  fileprivate var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    return min(seconds, 3600) * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
