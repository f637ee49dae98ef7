// Data keys change before they have sealed too much, or for too long. Earlier ones stay, and open what they sealed.

package import Foundation
import GatehousePrimitives

package struct CountDataKeyUses: Sendable {
  /// Uses after which a new key is made. Counts of a minute are lost with a server that is killed, and until
  /// `Vault.leadSeconds` are over the earlier key goes on: 2^30 leaves room for both below 2^32.
  package static let mostUses = 1 << 30
  /// Seconds after which a new key is made: 90 days.
  package static let mostSeconds: TimeInterval = 90 * 86_400

  private let services: Services
  private let mostUses: Int

  package init(_ services: Services, mostUses: Int = CountDataKeyUses.mostUses) {
    self.services = services
    self.mostUses = mostUses
  }

  /// Adds what was counted since the last round, and makes the keys that are due. Throws the first trouble of a tenant,
  /// after the others had their turn; what could not be added is counted the next time.
  package func runOnce() async throws {
    var trouble: (any Error)?
    var sums: [TenantID: [Int: Int]] = [:]
    for (tenant, uses) in services.dataKeyUses.take() {
      do {
        sums[tenant] = try await services.store.open(tenant).addDataKeyUses(uses)
      } catch {
        services.dataKeyUses.putBack(tenant, uses)
        trouble = trouble ?? error
      }
    }
    for tenant in services.registry.all {
      guard let newest = tenant.vault.newest, isDue(newest, uses: sums[tenant.id]?[newest.version] ?? 0) else {
        continue
      }
      do {
        try await add(newest.version + 1, to: tenant)
      } catch {
        trouble = trouble ?? error
      }
    }
    if let trouble { throw trouble }
  }

  private func isDue(_ key: Vault.Key, uses: Int) -> Bool {
    uses >= mostUses  // GUARD: data keys: change by their uses
      || services.clock.now.timeIntervalSince(key.createdAt) >= CountDataKeyUses.mostSeconds
  }

  private func add(_ version: Int, to tenant: TenantSnapshot) async throws {
    let now = services.clock.now
    let key = try KeyMaterial.dataKey(version, of: tenant.id, wrappedBy: services.keyEncryptionKey, at: now).sealed
    let entry = AuditEntry(
      id: services.clock.makeID(), at: now, event: .keyRotated, actor: Actor.system("count_data_key_uses").text,
      details: ["data_key": String(version)])
    _ = try await services.store.open(tenant.id).addDataKey(key, audit: entry)
  }
}
