// Tenants' own host names, as operations of the admin API.

/// A tenant's claim of a host name.
public struct HostSummary: Codable, Hashable, Sendable {
  /// The name.
  public var host: String
  /// `waiting` until an operator of all tenants or the name's DNS allows the claim, `allowed`, `verified`, or `taken`: another
  /// tenant's verified host.
  public var state: String
  /// When it was noted.
  public var addedAt: Timestamp
  /// When the claim goes, unless it is verified by then.
  public var expiresAt: Timestamp?
  /// When it showed that it leads here; it counts for nothing before.
  public var verifiedAt: Timestamp?
  /// While it waits: what a TXT record at `_gatehouse.` and the name allows it by.
  public var proof: String?

  /// The whole of it.
  public init(
    host: String, state: String, addedAt: Timestamp, expiresAt: Timestamp? = nil, verifiedAt: Timestamp? = nil,
    proof: String? = nil
  ) {
    self.host = host
    self.state = state
    self.addedAt = addedAt
    self.expiresAt = expiresAt
    self.verifiedAt = verifiedAt
    self.proof = proof
  }

  enum CodingKeys: String, CodingKey {
    case host, state, proof
    case addedAt = "added_at"
    case expiresAt = "expires_at"
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

/// Notes a tenant's claim of a host. It counts for nothing until it is verified, and goes after 7 days without that. A claim by a token
/// that is bound to tenants waits.
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

/// Allows a claim that waits: for tokens that reach all tenants.
public enum AllowHostOperation: AdminOperation {
  /// POST.
  public static let method = Method.post
  /// Where it lives.
  public static let path = "/tenants/{tenant}/hosts/{host}/allow"
  /// What a token must allow.
  public static let scope = AdminScope.tenantWrite
  /// What it does.
  public static let summary = "Allow a claim of a host name"

  /// What it takes.
  public typealias Input = HostReference

  /// What it answers.
  public typealias Output = HostList
}

/// Asks the host whether it leads here, and for a claim that waits DNS whether it is meant so; issuer and links follow it from then on.
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
