public import Foundation
public import GatehouseClient

/// A clock that a test moves. A task that sleeps wakes when the clock was moved far enough.
public final class ManualClock: AuthClock, @unchecked Sendable {
  private let lock = NSLock()
  private var wall: Date
  private var passed = Duration.zero
  private var last = 0
  private var sleepers: [Int: (until: Duration, continuation: CheckedContinuation<Void, any Error>)] = [:]

  private let skipped: Duration

  /// A clock that stands at this moment. A sleep of at most `skipping` passes by itself: the clock moves by it, and the
  /// task goes on. A test need not move the clock then for each pause before a repetition.
  public init(_ now: Date = Date(timeIntervalSince1970: 1_900_000_000), skipping: Duration = .zero) {
    wall = now
    skipped = skipping
  }

  /// The wall clock.
  public var now: Date { lock.withLock { wall } }
  /// The time since the clock was made.
  public var uptime: Duration { lock.withLock { passed } }
  /// How many tasks sleep.
  public var sleeping: Int { lock.withLock { sleepers.count } }

  /// Lets time pass, on both clocks.
  public func advance(by duration: Duration) {
    let awake = lock.withLock {
      passed += duration
      wall += Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
      let due = sleepers.filter { $0.value.until <= passed }
      for id in due.keys { sleepers[id] = nil }
      return due.values.map(\.continuation)
    }
    for continuation in awake { continuation.resume() }
  }

  /// Sets the wall clock, as a person or a network does.
  public func setWall(_ now: Date) { lock.withLock { wall = now } }

  /// Waits until the clock was moved that far.
  public func sleep(for duration: Duration) async throws {
    if duration <= skipped {
      try Task.checkCancellation()
      advance(by: max(duration, .zero))
      return await Task.yield()
    }
    let id = lock.withLock {
      last += 1
      return last
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isDue = lock.withLock {
          if duration <= .zero { return true }
          sleepers[id] = (passed + duration, continuation)
          return false
        }
        if isDue { continuation.resume() } else if Task.isCancelled { cancel(id) }
      }
    } onCancel: {
      cancel(id)
    }
  }

  private func cancel(_ id: Int) {
    lock.withLock { sleepers.removeValue(forKey: id) }?.continuation.resume(throwing: CancellationError())
  }
}
