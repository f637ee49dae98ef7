import Foundation
import GatehouseAdminWire

/// The subject of an audit log: a tenant, or the installation, whose log holds what belongs to no tenant or ends one.
package struct AuditScope: Sendable {
  /// The id under which the rows of the log lie.
  package let id: TenantID
  /// As operations and exports call it: the tenant's name, or `InstallationLog.name`.
  package let name: String
  let vault: Vault

  init(installation vault: Vault) {
    id = .installation
    name = InstallationLog.name
    self.vault = vault
  }

  package init(_ tenant: TenantSnapshot) {
    id = tenant.id
    name = tenant.name.description
    vault = tenant.vault
  }

  /// As sentences call it.
  package var shown: String { id == .installation ? "the installation" : name }

  /// As a command line names it.
  var word: String { id == .installation ? "--installation" : name }
}

extension TenantID {
  /// The id of the installation's log. No tenant has it.
  package static let installation = TenantID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
}
