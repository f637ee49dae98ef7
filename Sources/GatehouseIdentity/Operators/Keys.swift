// Signing keys in three states: published before it signs, signing, and published until its last token has expired.

import Foundation
import GatehousePolicy
import GatehousePrimitives

package enum Keys {
  /// Moves every key one state on: the next key signs, the signing key retires, a new next key is published, and retired
  /// keys whose last token has expired go.
  ///
  /// Verifiers that fetch the key set every five minutes meet no token that they cannot check, as long as `next` was
  /// published that long ago; a tenant without a next key gets one, and signs on with the old key until the next turn.
  package static func rotate(_ tenant: TenantSnapshot, author: Author, _ services: Services) async throws
    -> [StoredSigningKey]
  {
    let store = services.store.open(tenant.id)
    let now = services.clock.now
    let keys = try await store.signingKeys()
    let longest = TimeInterval(tenant.policy.sessions.accessTokenTTL + 120)
    let hasNext = keys.contains { $0.state == .next }
    var rotated: [StoredSigningKey] = keys.compactMap { key in
      var key = key
      switch key.state {
      case .next: (key.state, key.changedAt) = (.active, now)
      case .active where hasNext: (key.state, key.changedAt) = (.retired, now)
      case .active: break
      case .retired: if now.timeIntervalSince(key.changedAt) > longest { return nil }
      }
      return key
    }
    rotated.append(try KeyMaterial.signingKey(state: .next, vault: tenant.vault, at: now))
    do {
      try await store.replace(
        rotated, expecting: Dictionary(uniqueKeysWithValues: keys.map { ($0.kid, $0.state) }),
        audit: author.entry(.keyRotated, services))
    } catch StoreError.refused(.keyStateIsCurrent) {
      throw OperatorError(.stale, "somebody rotated the keys at the same moment", hint: "gatehouse key list")
    }
    return rotated
  }
}

package enum Secrets {
  /// Keeps a named secret, sealed; an older one of the same name is replaced.
  package static func set(
    _ name: String, _ bytes: [UInt8], _ tenant: TenantSnapshot, author: Author, _ services: Services
  )
    async throws
  {
    guard (1...64).contains(name.utf8.count),
      name.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F })
    else {
      throw OperatorError(.refused, "a secret's name has 1 to 64 lower-case letters, digits and underscores")
    }
    try await services.store.open(tenant.id).setSecret(
      name, sealed: try tenant.vault.seal(bytes, for: .secret(name: name)),
      audit: author.entry(.secretChanged, services, details: ["name": name]))
  }

  /// False when there was none.
  package static func remove(_ name: String, _ tenant: TenantSnapshot, author: Author, _ services: Services)
    async throws
    -> Bool
  {
    try await services.store.open(tenant.id).removeSecret(
      name, audit: author.entry(.secretChanged, services, details: ["name": name, "removed": "true"]))
  }
}
