import Foundation
import GatehousePolicy
import GatehousePolicyFile
import GatehousePrimitives

/// Turns what the store holds of a tenant into what the server serves.
package struct TenantLoader: Sendable {
  private let directory: any TenantDirectory
  private let registry: TenantRegistry
  private let files: StoredFiles
  private let keyEncryptionKeys: [SealingKey]
  private let publicURL: String
  private let uses: DataKeyUses
  private let clock: Clock
  private let limitFactor: Int

  package init(_ services: Services) {
    directory = services.directory
    registry = services.registry
    files = services.files
    keyEncryptionKeys = [services.keyEncryptionKey] + (services.otherKeyEncryptionKey.map { [$0] } ?? [])
    publicURL = services.publicURL
    uses = services.dataKeyUses
    clock = services.clock
    limitFactor = services.limitFactor
  }

  /// Loads every tenant; one that cannot be served does not keep the others from it. Says what the key-encryption key
  /// opened.
  @discardableResult
  package func loadAll() async throws -> KeyFit {
    let bundles = try await directory.bundles()
    for bundle in bundles { adopt(bundle) }
    registry.finishLoad(Set(bundles.map { $0.tenant.name.description }))
    return fit(bundles)
  }

  /// One key that opens is enough: it is looked for no further.
  func fit(_ bundles: [TenantBundle]) -> KeyFit {
    let stored = bundles.reduce(0) { $0 + $1.dataKeys.count }
    guard stored > 0 else { return .nothingStored }
    let opens = bundles.contains { bundle in
      bundle.dataKeys.contains { (try? $0.opened(by: keyEncryptionKeys, of: bundle.tenant.id)) != nil }
    }
    return opens ? .opens : .opensNone(of: stored)
  }

  /// Loads one tenant anew, or forgets it when it is gone.
  package func load(_ name: TenantName) async throws {
    guard let bundle = try await directory.bundle(name) else {
      registry.remove(name)
      return
    }
    adopt(bundle)
  }

  private func adopt(_ bundle: TenantBundle) {
    let name = bundle.tenant.name
    // A revision that is already served is not compiled again; keys and the switch may still have changed.
    do {
      let served = registry.snapshot(name.description)
      registry.replace(try snapshot(of: bundle, reusing: served))
    } catch {
      registry.keepLastGood(name, because: error as? LoadFailure ?? LoadFailure(reason: String(describing: error)))
    }
  }

  private func opened(_ sealed: SealedDataKey, of tenant: TenantID) throws(LoadFailure) -> SealingKey {
    do { return try sealed.opened(by: keyEncryptionKeys, of: tenant) } catch {
      throw LoadFailure(
        reason: "data key \(sealed.version) does not open with the configured key-encryption key", needsOtherKey: true)
    }
  }

  /// The tenant as a value.
  package func snapshot(of bundle: TenantBundle, reusing served: TenantSnapshot? = nil) throws -> TenantSnapshot {
    let tenant = bundle.tenant
    let vault = try Vault(
      tenant: tenant.id,
      keys: bundle.dataKeys.sorted { $0.version < $1.version }.map { sealed in
        Vault.Key(try opened(sealed, of: tenant.id), createdAt: sealed.createdAt)
      }, uses: uses, clock: clock)
    var published: [SigningKeys.Key] = []
    var active: SigningKeys.Key?
    for stored in bundle.signingKeys.sorted(by: { $0.createdAt > $1.createdAt }) {
      let opened = try vault.open(stored.sealedPrivateKey, for: .signingKey(kid: stored.kid))
      let key = SigningKeys.Key(kid: stored.kid, key: try P256PrivateKey(pkcs8: opened))
      published.append(key)
      if stored.state == .active { active = key }
    }
    guard let active else { throw LoadFailure(reason: "no active signing key") }
    let isServed = served?.revision == bundle.policy.number && served?.digest == bundle.policy.digest
    let policy =
      if isServed, let served { served.policy } else {
        try TenantLoader.compile(files.file(of: bundle.policy, of: tenant.name))
      }
    return TenantSnapshot(
      id: tenant.id, name: tenant.name, displayName: tenant.displayName, enabled: tenant.enabled, policy: policy,
      limits: policy.limits.relaxed(by: limitFactor), lookups: policy.directory?.limit.relaxed(by: limitFactor),
      revision: bundle.policy.number,
      policySince: bundle.policy.createdAt, digest: bundle.policy.digest,
      keys: SigningKeys(active: active, published: published), vault: vault, pinnedRevision: tenant.pinnedRevision,
      hosts: bundle.hosts,
      pictures: bundle.pictures, publicURL: publicURL)
  }
}

/// The share of the stored data keys that the configured key-encryption key opened.
package enum KeyFit: Sendable, Equatable {
  case nothingStored
  /// At least one.
  case opens
  /// The key is another installation's, or a new one.
  case opensNone(of: Int)

  /// The remedy for a key that opens none.
  package static let cure =
    "put the key file of this installation back (kek.file); it is kept apart from the database's backups"
}

/// Why a stored tenant cannot be served.
package struct LoadFailure: Error, Equatable, CustomStringConvertible {
  package let reason: String
  /// Whether another key-encryption key is needed; otherwise the tenant's policy or its keys are at fault.
  package var needsOtherKey = false
  package var description: String { reason }
}
