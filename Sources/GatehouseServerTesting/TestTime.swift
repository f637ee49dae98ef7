import Dispatch
import GatehousePrimitives

/// Nanoseconds of a clock that never goes back. It leaps ahead at each look while a test says so: what was to be done
/// within seconds is late then.
final class TestTime: Sendable {
  private static let leap: UInt64 = 60_000_000_000
  private let state = LockBox((isLeaping: false, ahead: UInt64(0)))

  var now: UInt64 {
    state.withLock { state in
      if state.isLeaping { state.ahead += TestTime.leap }
      return DispatchTime.now().uptimeNanoseconds + state.ahead
    }
  }

  func leap(_ leaps: Bool) { state.withLock { $0.isLeaping = leaps } }
}
