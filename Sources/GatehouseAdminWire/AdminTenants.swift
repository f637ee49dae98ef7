package import GatehouseWire

// Tenants, as operations of the admin API.

/// A tenant in a list.
package struct TenantSummary: Codable, Hashable, Sendable {
  /// Its name in paths.
  package var name: String
  /// Whether the tenant serves its users.
  package var enabled: Bool
  /// The name operators see.
  package var displayName: String
  /// When it was made.
  package var createdAt: Timestamp

  package init(name: String, displayName: String, enabled: Bool, createdAt: Timestamp) {
    (self.name, self.displayName, self.enabled, self.createdAt) = (name, displayName, enabled, createdAt)
  }
}

/// The tenants that the token is for, by name.
package enum ListTenantsOperation: AdminOperation {
  package static let row = AdminOperationRow(.get, "/tenants", .tenantRead, "List tenants")

  package typealias Input = PageRequest

  package struct Output: Codable, Hashable, Sendable {
    /// By name.
    package var items: [TenantSummary]
    /// The `cursor` of the next page; absent on the last page.
    package var nextCursor: String?

    package init(items: [TenantSummary], nextCursor: String? = nil) {
      (self.items, self.nextCursor) = (items, nextCursor)
    }
  }
}

/// One tenant: its addresses, policy revision and users.
package enum ShowTenantOperation: AdminOperation {
  package static let row = AdminOperationRow(.get, "/tenants/{tenant}", .tenantRead, "Show a tenant")

  package typealias Input = TenantReference

  package struct Output: Codable, Hashable, Sendable {
    /// Its name in paths.
    package var name: String
    /// Whether the tenant serves its users.
    package var enabled: Bool
    /// The issuer of its tokens.
    package var issuer: String
    /// The live policy revision.
    package var revision: Int
    /// SHA-256 of that revision's text, in hexadecimal.
    package var digest: String
    /// The number of its users.
    package var accounts: Int
    /// The name operators see.
    package var displayName: String
    /// When it was made.
    package var createdAt: Timestamp

    package init(
      name: String, displayName: String, enabled: Bool, issuer: String, revision: Int, digest: String, accounts: Int,
      createdAt: Timestamp
    ) {
      self.name = name
      self.displayName = displayName
      self.enabled = enabled
      self.issuer = issuer
      self.revision = revision
      self.digest = digest
      self.accounts = accounts
      self.createdAt = createdAt
    }
  }
}
