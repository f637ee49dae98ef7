// Seals what the release before kept for providers anew, with where it may go; and heals links that broke because a
// policy led elsewhere, once one leads back.

import Foundation
import GatehousePolicy
import GatehousePrimitives

package struct BindSealed: Sendable {
  /// Values, and links, in one round of a tenant.
  package static let batch = 200
  /// Seconds after which a server that was not heard of is gone.
  private static let patience = 600
  /// Seconds for which a revision is looked at. Another server may use the one before for a moment, and mark a link.
  private static let fresh: Double = 60

  /// A provider of a tenant whose secret was set for another destination than the policy's.
  package struct Closed: Sendable {
    package let tenant: String
    package let provider: String
    package let secret: String
  }

  private let services: Services
  private let version: String
  private let batch: Int
  private let report: @Sendable (Closed) -> Void
  private struct Look {
    let revision: Int
    let until: Date
  }

  /// The revision of each tenant that was looked at, so that a round over many tenants asks the store for those alone
  /// whose policy is new.
  private let looks = LockBox<[TenantID: Look]>([:])

  /// `version` is this program's. `report` hears of each closed secret, once for each revision.
  package init(
    _ services: Services, version: String, batch: Int = batch, report: @escaping @Sendable (Closed) -> Void = { _ in }
  ) {
    self.services = services
    self.version = version
    self.batch = batch
    self.report = report
  }

  /// One round over all tenants. True when there may be more to do at once. Throws the first trouble of a tenant, after
  /// the others had their turn.
  package func runOnce() async throws -> Bool {
    var isMore = false
    var trouble: (any Error)?
    let tenants = services.registry.all
    let mayBind = try await mayBind(tenants)
    for tenant in tenants {
      do {
        if mayBind, try await bind(tenant) { isMore = true }
        guard isFresh(tenant) else { continue }
        if try await heal(tenant) { isMore = true }
        try await look(tenant)
      } catch {
        trouble = trouble ?? error
      }
    }
    if let trouble { throw trouble }
    return isMore
  }

  /// While a server of the release before still runs nothing is bound: it could not open that.
  private func mayBind(_ tenants: [TenantSnapshot]) async throws -> Bool {
    guard tenants.contains(where: { $0.pinnedRevision != nil }) else { return false }
    // GUARD: bind: after the last server of the release before
    let isFree = try await isAlone()
    return isFree
  }

  /// Binds what the release before sealed.
  private func bind(_ tenant: TenantSnapshot) async throws -> Bool {
    guard tenant.pinnedRevision != nil else { return false }
    guard let policy = try await Unbound.pinned(tenant, services) else { return false }
    let store = services.store.open(tenant.id)
    let items = try await store.unboundItems(limit: batch)
    try await store.bind(items.map { ($0, as: try bound($0, policy, tenant)) })
    if items.count == batch { return true }
    _ = try await store.endUnbound()
    return false
  }

  private func isAlone() async throws -> Bool {
    try await services.servers.servers(seenWithin: BindSealed.patience).allSatisfy {
      $0.version.utf8.elementsEqual(version.utf8)
    }
  }

  /// The value for where the pinned revision leads. A value without a provider in that revision waits for one. A value
  /// that does not open is kept as it is, behind the mark of no destination.
  private func bound(_ item: SealedItem, _ policy: Policy, _ tenant: TenantSnapshot) throws -> [UInt8] {
    let destination = Unbound.destinations(of: item.item, in: policy, tenant, services).first ?? .unnamed
    guard let opened = try? tenant.vault.open(item.sealed, for: .unbound(item.item)) else {
      return Vault.mark(.unnamed) + item.sealed
    }
    return try opened.expose { try tenant.vault.seal($0, for: .bound(item.item, to: destination)) }
  }

  private func heal(_ tenant: TenantSnapshot) async throws -> Bool {
    let store = services.store.open(tenant.id)
    var isMore = false
    for provider in Providers.list(tenant.policy) {
      guard let destination = try? tenant.destination(of: provider, services) else { continue }
      let users = try await store.healableLinks(at: provider.name, to: destination.all, limit: batch)
      for user in users {
        let row = AuditEntry(
          id: services.clock.makeID(), at: services.clock.now, event: .linked,
          actor: Actor.system("bind_sealed").text, user: user,
          details: ["provider": provider.name, "reason": "sealed_for_this_again"])
        do {
          try await store.commit(
            [.provider(.setLink(user, provider: provider.name, .linked, scopes: nil)), .audit(row)], as: .job)
        } catch StoreError.refused(.linkExists) {
          continue  // unlinked meanwhile
        }
      }
      if users.count == batch { isMore = true }
    }
    return isMore
  }

  private func isFresh(_ tenant: TenantSnapshot) -> Bool {
    guard let look = looks.withLock({ $0[tenant.id] }), look.revision == tenant.revision else { return true }
    return services.clock.now < look.until
  }

  private func look(_ tenant: TenantSnapshot) async throws {
    guard looks.withLock({ $0[tenant.id]?.revision }) != tenant.revision else { return }
    for closed in try await ProviderSecrets.closed(tenant.policy, tenant, services) where !closed.isMissing {
      report(
        Closed(tenant: tenant.name.description, provider: closed.provider, secret: closed.name))
    }
    let until = services.clock.now.addingTimeInterval(BindSealed.fresh)
    looks.withLock { $0[tenant.id] = Look(revision: tenant.revision, until: until) }
  }
}
