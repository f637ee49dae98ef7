// Removes what has no use any more, of all tenants: expired codes and counters, sealed values whose time is over,
// sessions that ended long ago. Small rounds, so that no lock is held long.

package struct PruneExpired: Sendable {
  private let sweep: any ExpirySweep

  /// Rows of each kind in one round.
  private static let batch = 1000

  package init(_ sweep: any ExpirySweep) { self.sweep = sweep }

  /// One round. True when there may be more to do at once.
  package func runOnce() async throws -> Bool {
    try await sweep.prune(batch: PruneExpired.batch).values.contains { $0 >= PruneExpired.batch }
  }
}
