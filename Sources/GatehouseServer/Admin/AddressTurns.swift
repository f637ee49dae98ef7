package import GatehousePrimitives

/// Turns of an address (IPv6 by its /64): one piece of work at a time for each, in the order of arrival.
package final class AddressTurns: Sendable {
  private struct Lane: Sendable {
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  /// So many wait for each address: as many connections as a listener takes from one IPv4 address.
  package static let mostWaiting = 64

  /// A lane is there while its address has a turn.
  private let lanes = LockBox<[[UInt8]: Lane]>([:])

  package init() {}

  /// The result of the work at its turn; nil, with nothing done, where too many wait already.
  package func run<Result: Sendable>(_ address: NetworkAddress, _ work: () async throws -> Result?) async rethrows
    -> Result?
  {
    let key = address.countingKey
    guard await enter(key) else { return nil }
    defer { leave(key) }
    return try await work()
  }

  private enum Entry { case now, later, refused }

  private func enter(_ key: [UInt8]) async -> Bool {
    var isRefused = false
    await withCheckedContinuation { continuation in
      let entry = lanes.withLock { lanes -> Entry in
        guard let lane = lanes[key] else {
          lanes[key] = Lane()
          return .now
        }
        // GUARD: admin: turns are bounded
        guard lane.waiting.count < Self.mostWaiting else { return .refused }
        lanes[key]?.waiting.append(continuation)
        return .later
      }
      isRefused = entry == .refused
      if entry != .later { continuation.resume() }
    }
    return !isRefused
  }

  private func leave(_ key: [UInt8]) {
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
