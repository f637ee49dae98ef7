import GatehousePrimitives

/// Lets one line in a minute through for one cause, and counts those that it keeps back. Work that fails with each look
/// at a database that is away says so once, and not four times a second.
final class RepeatGate: Sendable {
  private struct Cause {
    var since: Int
    var keptBack: Int
  }

  /// Milliseconds between two lines of one cause.
  static let pause = 60_000
  /// The causes that are remembered. Beyond that, the one whose line is the oldest is forgotten.
  static let most = 200

  private let causes = LockBox<[String: Cause]>([:])

  /// The lines of this cause that were kept back since its last one, where it may be written now; nil where it is kept
  /// back itself.
  func pass(_ cause: String, at now: Int) -> Int? {
    causes.withLock { causes in
      if var known = causes[cause], (0..<Self.pause).contains(now - known.since) {
        known.keptBack += 1
        causes[cause] = known
        return nil
      }
      let keptBack = causes[cause]?.keptBack ?? 0
      causes[cause] = Cause(since: now, keptBack: 0)
      if causes.count > Self.most, let oldest = causes.min(by: { $0.value.since < $1.value.since }) {
        causes[oldest.key] = nil
      }
      return keptBack
    }
  }
}
