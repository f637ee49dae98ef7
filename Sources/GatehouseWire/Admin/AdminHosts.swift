// Tenants' own host names, as operations of the admin API.

/// A host name of a tenant's own.
public struct HostSummary: Codable, Hashable, Sendable {
  /// The name.
  public var host: String
  /// When it was noted.
  public var addedAt: Timestamp
  /// When it showed that it leads here; it counts for nothing before.
  public var verifiedAt: Timestamp?

  /// The whole of it.
  public init(host: String, addedAt: Timestamp, verifiedAt: Timestamp? = nil) {
    self.host = host
    self.addedAt = addedAt
    self.verifiedAt = verifiedAt
  }

  enum CodingKeys: String, CodingKey {
    case host
    case addedAt = "added_at"
    case verifiedAt = "verified_at"
  }
}

/// A tenant's hosts.
public enum ListHostsOperation: AdminOperation {
  /// GET.
  public static let method = Method.get
  /// Where it lives.
  public static let path = "/tenants/{tenant}/hosts"
  /// What a token must allow.
  public static let scope = AdminScope.tenantRead
  /// What it does.
  public static let summary = "List host names"

  /// What it takes.
  public typealias Input = TenantReference

  /// What it answers.
  public typealias Output = HostList
}

/// Notes a host for a tenant. It counts for nothing until it is verified.
public enum AddHostOperation: AdminOperation {
  /// POST.
  public static let method = Method.post
  /// Where it lives.
  public static let path = "/tenants/{tenant}/hosts"
  /// What a token must allow.
  public static let scope = AdminScope.tenantWrite
  /// The status of a success.
  public static let status = 201
  /// What it does.
  public static let summary = "Add a host name"

  /// What it takes.
  public typealias Input = HostReference

  /// What it answers.
  public typealias Output = HostList
}

/// Asks the host whether it leads here; issuer and links follow it from then on.
public enum VerifyHostOperation: AdminOperation {
  /// POST.
  public static let method = Method.post
  /// Where it lives.
  public static let path = "/tenants/{tenant}/hosts/{host}/verify"
  /// What a token must allow.
  public static let scope = AdminScope.tenantWrite
  /// What it does.
  public static let summary = "Verify a host name"

  /// What it takes.
  public typealias Input = HostReference

  /// What it answers.
  public typealias Output = HostList
}

/// Takes a host away at once.
public enum RemoveHostOperation: AdminOperation {
  /// DELETE.
  public static let method = Method.delete
  /// Where it lives.
  public static let path = "/tenants/{tenant}/hosts/{host}"
  /// What a token must allow.
  public static let scope = AdminScope.tenantWrite
  /// What it does.
  public static let summary = "Remove a host name"

  /// What it takes.
  public typealias Input = HostReference

  /// What it answers.
  public typealias Output = HostList
}
