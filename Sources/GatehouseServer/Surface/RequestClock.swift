import Foundation
import GatehouseIdentity

/// The one reading of the clocks for a request: everything that is decided about it is decided at this moment.
struct RequestClock: Sendable {
  /// The time of day.
  let now: Date
  /// The origin of durations.
  let started: ContinuousClock.Instant

  init(_ clock: GatehouseIdentity.Clock) {
    started = .now
    now = clock.now
  }

  /// Microseconds that have passed.
  var elapsed: Int {
    let elapsed = (ContinuousClock.now - started).components
    return Int(elapsed.seconds) * 1_000_000 + Int(elapsed.attoseconds / 1_000_000_000_000)
  }
}
