public import Foundation

/// Time, as the client sees it. Tests hand in a clock that they move.
public protocol AuthClock: Sendable {
  /// The wall clock. It may be wrong, and it may jump.
  var now: Date { get }
  /// Time since some moment in the past, that never jumps and goes on during sleep.
  var uptime: Duration { get }
  /// Waits. Throws `CancellationError` when the task is cancelled.
  func sleep(for duration: Duration) async throws
}

/// The device's clocks.
public struct SystemClock: AuthClock {
  private static let start = ContinuousClock.now

  /// The device's clocks.
  public init() {}

  /// The wall clock.
  public var now: Date { Date() }
  /// The continuous clock.
  public var uptime: Duration { ContinuousClock.now - Self.start }
  /// Waits on the continuous clock.
  public func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration, clock: .continuous) }
}

extension Duration {
  /// Seconds, with fractions.
  var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
