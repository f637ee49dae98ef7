/// Turns: one piece of work at a time for each key, in the order of arrival.
package final class Turns<Key: Hashable & Sendable>: Sendable {
  private struct Lane: Sendable {
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let mostWaiting: Int
  /// A lane is there while its key has a turn.
  private let lanes = LockBox<[Key: Lane]>([:])

  /// `mostWaiting` wait for each key.
  package init(mostWaiting: Int) { self.mostWaiting = mostWaiting }

  /// The result of the work at its turn; nil, with nothing done, where too many wait already.
  package func run<Result: Sendable>(_ key: Key, _ work: () async throws -> Result?) async rethrows -> Result? {
    guard await enter(key) else { return nil }
    defer { leave(key) }
    return try await work()
  }

  private enum Entry { case now, later, refused }

  private func enter(_ key: Key) async -> Bool {
    var isRefused = false
    await withCheckedContinuation { continuation in
      let entry = lanes.withLock { lanes -> Entry in
        guard let lane = lanes[key] else {
          lanes[key] = Lane()
          return .now
        }
        // GUARD: turns: bounded
        guard lane.waiting.count < mostWaiting else { return .refused }
        lanes[key]?.waiting.append(continuation)
        return .later
      }
      isRefused = entry == .refused
      if entry != .later { continuation.resume() }
    }
    return !isRefused
  }

  private func leave(_ key: Key) {
    let next = lanes.withLock { lanes -> CheckedContinuation<Void, Never>? in
      guard let lane = lanes[key], !lane.waiting.isEmpty else {
        lanes[key] = nil
        return nil
      }
      return lanes[key]?.waiting.removeFirst()
    }
    next?.resume()
  }
}
