/// Turns: one piece of work at a time for each key, in the order of arrival.
package final class KeyedQueue<Key: Hashable & Sendable>: Sendable {
  private struct Line: Sendable {
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let mostWaiting: Int
  /// A lane is there while its key has a turn.
  private let lines = LockBox<[Key: Line]>([:])

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
      let entry = lines.withLock { lines -> Entry in
        guard let line = lines[key] else {
          lines[key] = Line()
          return .now
        }
        // GUARD: turns: bounded
        guard line.waiting.count < mostWaiting else { return .refused }
        lines[key]?.waiting.append(continuation)
        return .later
      }
      isRefused = entry == .refused
      if entry != .later { continuation.resume() }
    }
    return !isRefused
  }

  private func leave(_ key: Key) {
    let next = lines.withLock { lines -> CheckedContinuation<Void, Never>? in
      guard let line = lines[key], !line.waiting.isEmpty else {
        lines[key] = nil
        return nil
      }
      return lines[key]?.waiting.removeFirst()
    }
    next?.resume()
  }
}
