// Sessions that a build before `session.proofs` opened get their proofs there, in small rounds, so that no lock is held
// long.

/// Where sessions without stored proofs are.
package protocol ProofBackfill: Sendable {
  /// Fills at most `batch` sessions of all tenants, and leaves those out that another transaction writes. Returns how
  /// many there were.
  func fill(batch: Int) async throws -> Int
}

package struct BackfillProofs: Sendable {
  private let store: any ProofBackfill
  private static let batch = 1000

  package init(_ store: any ProofBackfill) { self.store = store }

  /// One round. True when there may be more to do at once.
  package func runOnce() async throws -> Bool {
    try await store.fill(batch: BackfillProofs.batch) >= BackfillProofs.batch
  }
}
