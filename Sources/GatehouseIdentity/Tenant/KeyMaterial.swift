package import Foundation
package import GatehousePrimitives

/// The keys a tenant is born with.
package struct KeyMaterial: Sendable {
  package let dataKey: SealedDataKey
  package let signingKey: StoredSigningKey

  /// A data key wrapped by `keyEncryptionKey`, and an active signing key sealed under it.
  package init(for tenant: TenantID, wrappedBy keyEncryptionKey: SealingKey, at now: Date) throws {
    let key: SealingKey
    (dataKey, key) = try KeyMaterial.dataKey(1, of: tenant, wrappedBy: keyEncryptionKey, at: now)
    let vault = Vault(tenant: tenant, keys: [Vault.Key(key, createdAt: now)], clock: .system)
    signingKey = try KeyMaterial.signingKey(state: .active, vault: vault, at: now)
  }

  /// A new data key, wrapped and as it is.
  static func dataKey(_ version: Int, of tenant: TenantID, wrappedBy keyEncryptionKey: SealingKey, at now: Date) throws
    -> (sealed: SealedDataKey, key: SealingKey)
  {
    let key = try SealingKey.random(version: UInt32(clamping: version))
    let wrapped = try key.wrapped(by: keyEncryptionKey, in: Vault.wrapping(tenant, version: version))
    return (SealedDataKey(version: version, sealed: wrapped, createdAt: now), key)
  }

  /// A new ES256 key, sealed. Its id is its thumbprint (RFC 7638).
  package static func signingKey(state: StoredSigningKey.State, vault: Vault, at now: Date) throws -> StoredSigningKey {
    let key = try PublicJWK.generateKey()
    let kid = PublicJWK.thumbprint(key.publicKey)
    let sealed = try key.pkcs8().expose { try vault.seal($0, for: .signingKey(kid: kid)) }
    return StoredSigningKey(kid: kid, state: state, sealedPrivateKey: sealed, createdAt: now, changedAt: now)
  }
}
