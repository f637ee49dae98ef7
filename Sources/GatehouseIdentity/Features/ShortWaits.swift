import GatehousePrimitives

/// The waits at a limit that a server serves in place of a refusal: short ones, and few at a time. A wait holds a task
/// and a connection, no permit to hash, no turn and no connection of the database.
package final class ShortWaits: Sendable {
  /// Seconds of the longest wait that is served.
  package static let longest = 2
  /// Waits at a time, of all tenants and of one, so that no tenant's guessers use up the others'.
  package static let (most, mostOfTenant) = (256, 64)

  private let running = LockBox<[TenantID: Int]>([:])

  package init() {}

  /// The waits that run.
  package var count: Int { running.withLock { $0.values.reduce(0, +) } }

  /// Waits for so many seconds. False, at once, where the wait is longer, or too many wait already.
  package func serve(
    _ seconds: Int, of tenant: TenantID, by wait: (Duration) async -> Void
  ) async -> Bool {
    guard (1...Self.longest).contains(seconds), begin(tenant) else { return false }
    defer { end(tenant) }
    await wait(.seconds(seconds))
    return true
  }

  private func begin(_ tenant: TenantID) -> Bool {
    running.withLock { running in
      let isFull =
        running.values.reduce(0, +) >= Self.most || running[tenant, default: 0] >= Self.mostOfTenant
      // GUARD: waits: so many at a time
      guard !isFull else { return false }
      running[tenant, default: 0] += 1
      return true
    }
  }

  private func end(_ tenant: TenantID) {
    running.withLock { running in
      let left = running[tenant, default: 1] - 1
      running[tenant] = left > 0 ? left : nil
    }
  }
}
