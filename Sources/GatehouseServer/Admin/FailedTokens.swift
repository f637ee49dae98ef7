import Foundation
import GatehousePrimitives

/// Addresses that showed tokens that were no good (IPv6 by its /64). A token cannot be guessed; this delays those who
/// try, and makes them show in the log. A valid token is not delayed.
final class FailedTokens: Sendable {
  /// The number of failures within a minute without a delay; each further one doubles the wait, up to a minute.
  private static let free = 10
  private static let window: TimeInterval = 60
  private static let mostHeld = 10_000

  private struct Count: Sendable {
    var failures = 0
    var last: Date
    var blockedUntil = Date.distantPast
  }

  private let counts = LockBox<[[UInt8]: Count]>([:])

  /// Seconds until a failing token of this address is heard again; nil now.
  func wait(_ address: NetworkAddress?, at now: Date) -> Int? {
    guard let key = address?.countingKey else { return nil }
    return counts.withLock { counts in
      guard let until = counts[key]?.blockedUntil, until > now else { return nil }
      return max(1, Int(until.timeIntervalSince(now).rounded(.up)))
    }
  }

  func count(_ address: NetworkAddress?, at now: Date) {
    guard let key = address?.countingKey else { return }
    counts.withLock { counts in
      if counts.count >= Self.mostHeld {
        counts = counts.filter { now.timeIntervalSince($0.value.last) < Self.window }
        // A flood from everywhere: the oldest half goes.
        if counts.count >= Self.mostHeld {
          let middle = counts.values.map(\.last).sorted()[counts.count / 2]
          counts = counts.filter { $0.value.last > middle }
        }
      }
      var count = counts[key] ?? Count(last: now)
      if now.timeIntervalSince(count.last) >= Self.window { count = Count(last: now) }
      count.failures = min(count.failures + 1, 1_000)
      count.last = now
      let beyond = count.failures - Self.free
      if beyond > 0 { count.blockedUntil = now.addingTimeInterval(min(Self.window, Double(1 << min(beyond, 6)))) }
      counts[key] = count
    }
  }
}
