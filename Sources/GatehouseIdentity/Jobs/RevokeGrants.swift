// The worker that gives grants back to their providers: unlinking, signing out and erasing leave an order in their own
// transaction.

import Foundation
import GatehousePolicy
import GatehousePrimitives

package struct RevokeGrants: Sendable {
  /// Orders at once.
  private static let atOnce = 16
  /// A worker that died loses its orders for so long, in seconds.
  private static let lease = 60
  /// Seconds until the next try, by how many there were; the last one repeats until the order is too old.
  static let delays = [10, 60, 300, 1800, 7200]

  /// Seconds until the next look at an order for other addresses than the policy has now.
  private static let elsewhere = 300

  private let queue: any RevocationQueue
  private let services: Services

  package init(_ queue: any RevocationQueue, _ services: Services) {
    self.queue = queue
    self.services = services
  }

  /// Takes and carries out what is due now; says how many there were.
  package func runOnce() async throws -> Int {
    let taken = try await queue.takeDueRevocations(limit: Self.atOnce, lease: Self.lease)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for due in taken { group.addTask { try await revoke(due) } }
      try await group.waitForAll()
    }
    return taken.count
  }

  private func revoke(_ due: DueRevocation) async throws {
    guard let tenant = services.registry.snapshot(of: due.tenant) else {
      return  // Its keys are not here yet; the lease brings it back.
    }
    let store = services.store.open(due.tenant)
    // A provider that the policy no longer knows has no client to ask as. Where a user has linked the same person
    // again, or another account has a grant of that person, giving this grant back would end that one: providers keep
    // one grant for each person and client.
    guard let provider = tenant.policy.provider(due.provider),
      try await !store.hasGrant(providerUserHash: due.providerUserHash)
    else { return try await store.endRevocation(due.id, audit: nil) }
    let tokens: GrantedTokens
    do {
      tokens = try await GrantedTokens(
        due.sealedTokens, .grant(due.user, provider: due.provider, version: due.version), at: provider, in: tenant,
        services)
    } catch is SealedElsewhere {
      // It is given back once a policy leads there again, unless it is too old by then.
      return try await store.postponeRevocation(due.id, seconds: Self.elsewhere)
    } catch is CryptoError {
      return try await store.endRevocation(due.id, audit: nil)
    }
    do {
      let registration = try await tenant.registration(provider, services)
      let isRevoked = try await services.providers.revoke(tokens, at: registration)
      try await store.endRevocation(due.id, audit: isRevoked ? entry(due) : nil)
    } catch let failure as ProviderFailure {
      var delay = Self.delays[min(max(due.attempts, 1), Self.delays.count) - 1]
      if case .unavailable(let asked?) = failure { delay = max(delay, asked) }
      try await store.postponeRevocation(due.id, seconds: delay)
    }
  }

  private func entry(_ due: DueRevocation) -> AuditEntry {
    AuditEntry(
      id: services.clock.makeID(), at: services.clock.now, event: .grantRevoked,
      actor: Actor.system("revoke_grants").text, user: due.user, details: ["provider": due.provider])
  }
}
