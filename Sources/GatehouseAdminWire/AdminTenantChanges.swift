package import GatehouseWire

// What changes tenants, as operations of the admin API.

/// A new tenant: its keys and its first policy revision. The token must be for all tenants.
package enum CreateTenantOperation: AdminOperation {
  package static let row = AdminOperationRow(.post, "/tenants", .tenantWrite, "Create a tenant")

  package struct Input: Codable, Hashable, Sendable {
    /// 1 to 63 lower-case letters, digits and inner hyphens.
    package var name: String
    /// The policy file's text; that of a careful beginning without.
    package var policy: String?
    /// The name of the file in messages.
    package var file: String?
    /// The name operators see; the policy's app name without.
    package var displayName: String?
    /// Leave a tenant that exists as it is, also a different one.
    package var ifNotExists: Bool?
    /// Leave what is there, if it is the same; `exists` if it differs.
    package var ifAbsent: Bool?
    /// Do everything but the change itself.
    package var dryRun: Bool?

    package init(
      name: String, displayName: String? = nil, policy: String? = nil, file: String? = nil, ifNotExists: Bool? = nil,
      ifAbsent: Bool? = nil, dryRun: Bool? = nil
    ) {
      self.name = name
      self.displayName = displayName
      self.policy = policy
      self.file = file
      self.ifNotExists = ifNotExists
      self.ifAbsent = ifAbsent
      self.dryRun = dryRun
    }
  }

  /// The outcome of a request.
  package enum Outcome: String, Hashable, Sendable, CaseIterable {
    /// There is a new tenant.
    case created
    /// There was one of this name, and `if_absent` or `if_not_exists` was given.
    case exists
    /// There could be one; it was a dry run.
    case checked
  }

  package struct Output: Codable, Hashable, Sendable {
    /// The outcome of the request.
    package var outcome: OpenWord<Outcome>
    /// Its name.
    package var name: String
    /// Where people reach this server.
    package var publicURL: String

    package init(outcome: Outcome, name: String, publicURL: String) {
      (self.outcome, self.name, self.publicURL) = (OpenWord(outcome), name, publicURL)
    }
  }
}

/// Changes what a tenant is called, or switches it off (no user gets in, nothing is lost) or on.
package enum SetTenantOperation: AdminOperation {
  package static let row = AdminOperationRow(.patch, "/tenants/{tenant}", .tenantWrite, "Change a tenant")

  package struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    package var tenant: String
    /// Whether the tenant serves its users.
    package var enabled: Bool?
    /// The name operators see.
    package var displayName: String?

    package init(tenant: String, displayName: String? = nil, enabled: Bool? = nil) {
      (self.tenant, self.displayName, self.enabled) = (tenant, displayName, enabled)
    }
  }

  package typealias Output = TenantSummary
}

/// Removes a disabled tenant and everything in it, for good. An enabled one is refused.
package enum DeleteTenantOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .delete, "/tenants/{tenant}", .tenantWrite, "Delete a disabled tenant", status: 204)

  package typealias Input = TenantReference
  package typealias Output = Nothing
}
