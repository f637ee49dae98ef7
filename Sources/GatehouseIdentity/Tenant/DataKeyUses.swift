import GatehousePrimitives

/// How often this process sealed with each data key since the counts were taken last. A nonce of AES-GCM is random: one
/// key seals fewer than 2^32 values (SP 800-38D, section 8.3).
package final class DataKeyUses: Sendable {
  private let counts = LockBox<[TenantID: [Int: Int]]>([:])

  package init() {}

  func note(_ tenant: TenantID, version: Int) {
    counts.withLock { $0[tenant, default: [:]][version, default: 0] += 1 }
  }

  /// Uses by tenant and version; they count from zero again.
  package func take() -> [TenantID: [Int: Int]] {
    counts.withLock { counts in
      defer { counts = [:] }
      return counts
    }
  }

  /// Adds what could not be stored.
  package func putBack(_ tenant: TenantID, _ uses: [Int: Int]) {
    counts.withLock { $0[tenant, default: [:]].merge(uses) { $0 + $1 } }
  }
}
