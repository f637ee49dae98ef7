// Named secrets of a tenant: what its policy names but never holds.

import GatehousePrimitives

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
