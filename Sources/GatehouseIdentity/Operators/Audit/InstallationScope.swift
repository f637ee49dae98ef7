import Foundation
import GatehouseAdminWire
import GatehousePrimitives
import GatehouseWire

extension AuditScope {
  /// The installation's log. Its data key is made with the first look at it.
  ///
  /// Throws `OperatorError` where the key-encryption key is another installation's.
  static func installation(_ services: Services) async throws -> AuditScope {
    let store = services.store.open(.installation)
    var stored = try await store.dataKeys()
    if stored.isEmpty {
      try await Tenants.demandOwnKey(services)
      let key = try KeyMaterial.dataKey(
        1, of: .installation, wrappedBy: services.keyEncryptionKey, at: services.clock.now)
      // Of two at one moment one is kept.
      try await store.keepFirstDataKey(key.sealed)
      stored = try await store.dataKeys()
    }
    let wrapping = [services.keyEncryptionKey] + (services.otherKeyEncryptionKey.map { [$0] } ?? [])
    do {
      let keys = try stored.map { Vault.Key(try $0.opened(by: wrapping, of: .installation), createdAt: $0.createdAt) }
      return AuditScope(installation: Vault(tenant: .installation, keys: keys, clock: services.clock))
    } catch is CryptoError {
      throw OperatorError(
        .unavailable, "the key-encryption key does not open the data key of the installation's log", hint: KeyFit.cure)
    }
  }
}

extension OperatorCall {
  /// The log of the tenant of this name, or the installation's, which needs a token for all tenants.
  func log(_ name: String) async throws -> AuditScope {
    guard name.utf8.elementsEqual(InstallationLog.name.utf8) else { return AuditScope(try await call(name).tenant) }
    try requireInstallationLog()
    return try await AuditScope.installation(services)
  }

  /// Refuses an operator who may not read the installation's log.
  func requireInstallationLog() throws {
    // GUARD: installation log: only for a reach of all tenants
    try requireAllTenants("and the log of the installation names all of them")
  }

  /// A row of the installation's log about a tenant.
  func record(_ event: AuditEvent, of tenant: TenantRecord) throws -> AuditEntry {
    try author().record(event, of: tenant, services)
  }
}

extension Author {
  /// A row of the installation's log about a tenant.
  func record(_ event: AuditEvent, of tenant: TenantRecord, _ services: Services) -> AuditEntry {
    entry(event, services, details: ["tenant": tenant.name.description, "tenant_id": tenant.id.text])
  }
}
