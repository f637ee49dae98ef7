package import GatehouseWire

// Tenants' own host names, as operations of the admin API.

/// The state of a claim of a host name.
package enum HostState: String, Hashable, Sendable, CaseIterable {
  /// Neither an operator of all tenants nor the name's DNS has allowed it.
  case waiting
  /// It is allowed, and has not shown yet that it leads here.
  case allowed
  /// It leads here.
  case verified
  /// It is another tenant's verified host.
  case taken
}

/// A tenant's claim of a host name.
package struct HostSummary: Codable, Hashable, Sendable {
  /// The name.
  package var host: String
  /// The state of the claim.
  package var state: OpenWord<HostState>
  /// While it waits: what a TXT record at `_gatehouse.` and the name allows it by.
  package var proof: String?
  /// When it was noted.
  package var addedAt: Timestamp
  /// When the claim goes, unless it is verified by then.
  package var expiresAt: Timestamp?
  /// When it showed that it leads here; it counts for nothing before.
  package var verifiedAt: Timestamp?

  package init(
    host: String, state: HostState, addedAt: Timestamp, expiresAt: Timestamp? = nil, verifiedAt: Timestamp? = nil,
    proof: String? = nil
  ) {
    self.host = host
    self.state = OpenWord(state)
    self.addedAt = addedAt
    self.expiresAt = expiresAt
    self.verifiedAt = verifiedAt
    self.proof = proof
  }
}

/// A tenant's hosts.
package enum ListHostsOperation: AdminOperation {
  package static let row = AdminOperationRow(.get, "/tenants/{tenant}/hosts", .tenantRead, "List host names")

  package typealias Input = TenantReference
  package typealias Output = HostList
}

/// Notes a tenant's claim of a host. It counts for nothing until it is verified, and goes after 7 days without that. A
/// claim by a token that is bound to tenants waits.
package enum AddHostOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .post, "/tenants/{tenant}/hosts", .tenantWrite, "Add a host name", status: 201)

  package struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    package var tenant: String
    /// The name, as `auth.example.com`.
    package var host: String
    /// Leave a claim of this tenant that is there.
    package var ifAbsent: Bool?

    package init(tenant: String, host: String, ifAbsent: Bool? = nil) {
      (self.tenant, self.host, self.ifAbsent) = (tenant, host, ifAbsent)
    }
  }

  package typealias Output = HostList
}

/// Allows a claim that waits: for tokens that reach all tenants.
package enum AllowHostOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .post, "/tenants/{tenant}/hosts/{host}/allow", .tenantWrite, "Allow a claim of a host name")

  package typealias Input = HostReference
  package typealias Output = HostList
}

/// Asks the host whether it leads here, and for a claim that waits DNS whether it is meant so; issuer and links follow
/// it from then on. Refused as the removal of a host is, where the relying party becomes another one.
package enum VerifyHostOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .post, "/tenants/{tenant}/hosts/{host}/verify", .tenantWrite, "Verify a host name")

  package typealias Input = HostChange
  package typealias Output = HostList
}

/// Takes a host away at once. Refused where passkeys that are the only way in of users would prove no more, as the
/// tenant's relying party changes with its hosts.
package enum RemoveHostOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .delete, "/tenants/{tenant}/hosts/{host}", .tenantWrite, "Remove a host name")

  package typealias Input = HostChange
  package typealias Output = HostList
}
