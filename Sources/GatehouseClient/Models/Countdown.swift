import Foundation

/// Seconds until a mail may be sent again, counted down once a second.
@MainActor
final class Countdown {
  private let clock: any AuthClock
  private let tick: @MainActor (Int) -> Void
  private let holder = TaskHolder()

  init(_ clock: any AuthClock, _ tick: @escaping @MainActor (Int) -> Void) {
    self.clock = clock
    self.tick = tick
  }

  /// Begins anew. `tick` gets the seconds that are left, zero at the end.
  func start(_ duration: Duration) {
    let until = clock.uptime + duration
    tick(Self.seconds(duration))
    let (clock, tick) = (clock, tick)
    holder.hold(
      Task {
        while true {
          let rest = until - clock.uptime
          tick(Self.seconds(rest))
          guard rest > .zero else { return }
          do { try await clock.sleep(for: min(rest, .seconds(1))) } catch { return }
        }
      })
  }

  private static func seconds(_ duration: Duration) -> Int { max(0, Int(duration.inSeconds.rounded(.up))) }
}
