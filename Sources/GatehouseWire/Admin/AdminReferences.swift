// What operations about one thing take, and lists that several of them answer.

/// Which tenant.
public struct TenantReference: Codable, Hashable, Sendable {
  /// The tenant's name.
  public var tenant: String

  /// The whole of it.
  public init(tenant: String) {
    self.tenant = tenant
  }
}

/// Which person.
public struct PersonReference: Codable, Hashable, Sendable {
  /// The tenant's name.
  public var tenant: String
  /// The person's address or id.
  public var user: String

  /// The whole of it.
  public init(tenant: String, user: String) {
    self.tenant = tenant
    self.user = user
  }
}

/// Which webhook.
public struct WebhookReference: Codable, Hashable, Sendable {
  /// The tenant's name.
  public var tenant: String
  /// Its id, the beginning of it, or its URL.
  public var webhook: String

  /// The whole of it.
  public init(tenant: String, webhook: String) {
    self.tenant = tenant
    self.webhook = webhook
  }
}

/// Which host.
public struct HostReference: Codable, Hashable, Sendable {
  /// The tenant's name.
  public var tenant: String
  /// The name, as `auth.example.com`.
  public var host: String

  /// The whole of it.
  public init(tenant: String, host: String) {
    self.tenant = tenant
    self.host = host
  }
}

/// Which part of a list.
public struct PageRequest: Codable, Hashable, Sendable {
  /// How many at most.
  public var limit: Int?
  /// Where to go on: the `next_cursor` of the answer before.
  public var cursor: String?

  /// The whole of it.
  public init(limit: Int? = nil, cursor: String? = nil) {
    self.limit = limit
    self.cursor = cursor
  }
}

/// Hosts of a tenant.
public struct HostList: Codable, Hashable, Sendable {
  /// All of the tenant's, oldest first.
  public var items: [HostSummary]

  /// The whole of it.
  public init(items: [HostSummary]) {
    self.items = items
  }
}

/// Signing keys of a tenant.
public struct SigningKeyList: Codable, Hashable, Sendable {
  /// As they are now, in no order.
  public var items: [SigningKeySummary]

  /// The whole of it.
  public init(items: [SigningKeySummary]) {
    self.items = items
  }
}
