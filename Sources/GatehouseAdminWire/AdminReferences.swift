import GatehouseWire

// What operations about one thing take, and lists that several of them answer.

/// A reference to a tenant.
package struct TenantReference: Codable, Hashable, Sendable {
  /// The tenant's name.
  package var tenant: String

  package init(tenant: String) { self.tenant = tenant }
}

/// A reference to a user.
package struct UserReference: Codable, Hashable, Sendable {
  /// The tenant's name.
  package var tenant: String
  /// The user's address or id.
  package var user: String

  package init(tenant: String, user: String) { (self.tenant, self.user) = (tenant, user) }
}

/// A reference to a webhook.
package struct WebhookReference: Codable, Hashable, Sendable {
  /// The tenant's name.
  package var tenant: String
  /// Its id, the beginning of it, or its URL.
  package var webhook: String

  package init(tenant: String, webhook: String) { (self.tenant, self.webhook) = (tenant, webhook) }
}

/// A reference to a host.
package struct HostReference: Codable, Hashable, Sendable {
  /// The tenant's name.
  package var tenant: String
  /// The name, as `auth.example.com`.
  package var host: String

  package init(tenant: String, host: String) { (self.tenant, self.host) = (tenant, host) }
}

/// A change of a host that counts.
package struct HostChange: Codable, Hashable, Sendable {
  /// The tenant's name.
  package var tenant: String
  /// The name, as `auth.example.com`.
  package var host: String
  /// Also where the passkeys of users who have no other way in would prove no more.
  package var allowLockout: Bool?

  package init(tenant: String, host: String, allowLockout: Bool? = nil) {
    (self.tenant, self.host, self.allowLockout) = (tenant, host, allowLockout)
  }
}

/// A part of a list.
package struct PageRequest: Codable, Hashable, Sendable {
  /// The greatest number of items.
  package var limit: Int?
  /// The `next_cursor` of the previous answer.
  package var cursor: String?

  package init(limit: Int? = nil, cursor: String? = nil) { (self.limit, self.cursor) = (limit, cursor) }
}

/// Hosts of a tenant.
package struct HostList: Codable, Hashable, Sendable {
  /// All of the tenant's, oldest first.
  package var items: [HostSummary]

  package init(items: [HostSummary]) { self.items = items }
}

/// Signing keys of a tenant.
package struct SigningKeyList: Codable, Hashable, Sendable {
  /// As they are now, in no order.
  package var items: [SigningKeySummary]

  package init(items: [SigningKeySummary]) { self.items = items }
}
