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

  /// Tenants that are loaded at once: enough that the database is asked seldom, few enough that neither their texts nor
  /// the pause that they make weigh anything.
  private static let stretch = 64

  /// Loads every tenant; one that cannot be served does not keep the others from it. Says what the key-encryption key
  /// opened.
  /// - Parameters:
  ///   - progress: is told how many of how many tenants are loaded.
  ///   - visit: gets each tenant once it is loaded, so that what else is read of a bundle does not need it again.
  @discardableResult
  package func loadAll(
    progress: (_ done: Int, _ of: Int) -> Void = { _, _ in },
    visit: @escaping @Sendable (TenantBundle) async throws -> Void = { _ in }
  ) async throws -> KeyFit {
    let marks = try await directory.marks()
    let names = Array(marks.keys)
    var rest = stride(from: 0, to: names.count, by: Self.stretch).map { first in
      Array(names[first..<min(names.count, first + Self.stretch)])
    }[...]
    // The database reads one stretch while each processor compiles another one.
    let width = ProcessInfo.processInfo.activeProcessorCount + 1
    var fit = KeyFit.nothingStored
    try await withThrowingTaskGroup(of: (fit: KeyFit, count: Int).self) { group in
      func begin() {
        if let stretch = rest.popFirst() { group.addTask { (try await load(stretch, visit), stretch.count) } }
      }
      for _ in 0..<width { begin() }
      var done = 0
      for try await found in group {
        begin()
        fit = fit.merged(with: found.fit)
        done += found.count
        progress(done, names.count)
      }
    }
    registry.finishLoad(keeping: marks)
    return fit
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

  /// Loads these tenants anew, and forgets those that are gone. The time grows with their number.
  @discardableResult
  package func load(_ names: [TenantName], _ visit: (TenantBundle) async throws -> Void = { _ in }) async throws
    -> KeyFit
  {
    let bundles = try await directory.bundles(names)
    for bundle in bundles {
      adopt(bundle)
      try await visit(bundle)
    }
    let found = Set(bundles.map(\.tenant.name))
    for name in names where !found.contains(name) { registry.remove(name) }
    return fit(bundles)
  }

  private func adopt(_ bundle: TenantBundle) {
    let name = bundle.tenant.name
    // A revision that is already served is not compiled again; keys and the switch may still have changed.
    do {
      let served = registry.snapshot(name.description)
      registry.replace(try snapshot(of: bundle, reusing: served), marked: bundle.mark)
    } catch {
      let failure = error as? LoadFailure ?? LoadFailure(reason: String(describing: error))
      registry.keepLastGood(name, because: failure, marked: bundle.mark)
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
      let key = SigningKeys.Key(kid: stored.kid, pkcs8: opened)
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

  /// Both together.
  func merged(with other: KeyFit) -> KeyFit {
    switch (self, other) {
    case (.opens, _), (_, .opens): .opens
    case (.nothingStored, let fit), (let fit, .nothingStored): fit
    case (.opensNone(let first), .opensNone(let second)): .opensNone(of: first + second)
    }
  }

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
