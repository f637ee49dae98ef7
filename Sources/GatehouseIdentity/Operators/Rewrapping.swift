// Changing the key-encryption key while everything runs. Data keys stay what they are; only what wraps them changes,
// one tenant at a time, each in a transaction of its own: a run that stops in the middle can be continued later.

import Foundation
import GatehousePrimitives

package enum Rewrapping {
  /// How the data keys are wrapped.
  package struct Count: Sendable, Equatable {
    /// Wrapped by the key that seals, but not by this run.
    package var before = 0
    /// Wrapped by the key that seals, by this run.
    package var rewrapped = 0
    /// Still wrapped by the other key.
    package var remaining = 0
    /// Tenants whose data key opens with neither.
    package var unknown: [String] = []
  }

  /// Wraps every data key that the other key opens anew, under the one that seals. `isDryRun` only counts.
  ///
  /// `progress` is told how many of how many are looked at; what it throws ends the work, and what was done stays done.
  package static func run(
    isDryRun: Bool = false, author: Author, _ services: Services,
    progress: (_ done: Int, _ of: Int) throws -> Void = { _, _ in }
  ) async throws -> Count {
    var count = Count()
    let bundles = try await services.directory.bundles()
    for (number, bundle) in bundles.enumerated() {
      for key in bundle.dataKeys { try await look(key, bundle.tenant, isDryRun, author, services, &count) }
      try progress(number + 1, bundles.count)
    }
    return count
  }

  private static func look(
    _ key: SealedDataKey, _ tenant: TenantRecord, _ isDryRun: Bool, _ author: Author, _ services: Services,
    _ count: inout Count
  ) async throws {
    if (try? key.opened(by: [services.keyEncryptionKey], of: tenant.id)) != nil {
      count.before += 1
      return
    }
    guard let other = services.otherKeyEncryptionKey, let opened = try? key.opened(by: [other], of: tenant.id) else {
      count.unknown.append(tenant.name.description)
      return
    }
    if isDryRun {
      count.remaining += 1
      return
    }
    let place = Vault.wrapping(tenant.id, version: key.version)
    var wrapped = key
    wrapped.sealed = try opened.wrapped(by: services.keyEncryptionKey, in: place)
    // What would be stored must open to the same key: with it goes everything that the tenant has sealed.
    let again = try wrapped.opened(by: [services.keyEncryptionKey], of: tenant.id)
    guard try again.open(try opened.seal([1], in: place), in: place).expose({ $0 == [1] }) else {
      throw CryptoError.notAuthentic
    }
    do {
      try await services.store.open(tenant.id).rewrap(
        key, as: wrapped,
        audit: author.entry(.keyRotated, services, details: ["data_key": String(key.version), "rewrapped": "true"]))
      count.rewrapped += 1
    } catch StoreError.refused(.keyStateIsCurrent) {
      count.before += 1  // another run wrapped it meanwhile
    }
  }
}

extension SealedDataKey {
  /// The data key, by the first of these that opens it. Throws `CryptoError.notAuthentic` when none does.
  func opened(by keys: [SealingKey], of tenant: TenantID) throws -> SealingKey {
    let place = Vault.wrapping(tenant, version: version)
    for key in keys {
      if let opened = try? SealingKey.unwrap(sealed, version: UInt32(clamping: version), by: key, in: place) {
        return opened
      }
    }
    throw CryptoError.notAuthentic
  }
}
