import Foundation
import GatehousePolicy

// Deleted accounts are kept for the time that their tenant's policy chose. This job erases them when it is over.

package struct EraseDeleted: Sendable {
  private let services: Services

  /// Accounts of one tenant in one round: a tenant with many does not keep the others waiting.
  private static let batch = 100

  package init(_ services: Services) { self.services = services }

  /// One round over all tenants. True when there may be more to do at once.
  package func runOnce() async throws -> Bool {
    var isMore = false
    for tenant in services.registry.all {
      let store = services.store.open(tenant.id)
      let time = Double(tenant.policy.accounts.undoDeletion)
      // GUARD: undelete: a shorter time holds for deleted accounts
      let moment = services.clock.now.addingTimeInterval(-time)
      let due = try await store.dueDeletedUsers(deletedBefore: moment, limit: Self.batch)
      for user in due {
        let entry = AuditEntry(
          id: services.clock.makeID(), at: services.clock.now, event: .userErased,
          actor: Actor.system("erase_deleted").text, user: user)
        do {
          try await store.commit([.user(.eraseAside(user)), .audit(entry)], as: .job)
        } catch StoreError.refused(.accountExists) {
          // Erased by another hand since.
        }
      }
      if due.count == Self.batch { isMore = true }
    }
    return isMore
  }
}
