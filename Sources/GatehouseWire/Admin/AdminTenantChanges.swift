// What changes tenants, as operations of the admin API.

/// A new tenant: its keys and its first policy revision. The token must be for all tenants.
public enum CreateTenantOperation: AdminOperation {
  /// POST.
  public static let method = Method.post
  /// Where it lives.
  public static let path = "/tenants"
  /// What a token must allow.
  public static let scope = AdminScope.tenantWrite
  /// What it does.
  public static let summary = "Make a tenant"

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// 1 to 63 lower-case letters, digits and inner hyphens.
    public var name: String
    /// The name operators see; the policy's app name without.
    public var displayName: String?
    /// The policy file's text; that of a careful beginning without.
    public var policy: String?
    /// What messages call the file.
    public var file: String?
    /// Leave a tenant that exists as it is.
    public var ifNotExists: Bool?
    /// Do everything but the change itself.
    public var dryRun: Bool?

    /// The whole of it.
    public init(
      name: String, displayName: String? = nil, policy: String? = nil, file: String? = nil, ifNotExists: Bool? = nil,
      dryRun: Bool? = nil
    ) {
      self.name = name
      self.displayName = displayName
      self.policy = policy
      self.file = file
      self.ifNotExists = ifNotExists
      self.dryRun = dryRun
    }

    enum CodingKeys: String, CodingKey {
      case name, policy, file
      case displayName = "display_name"
      case ifNotExists = "if_not_exists"
      case dryRun = "dry_run"
    }
  }

  /// What it answers.
  public struct Output: Codable, Hashable, Sendable {
    /// `created`, `exists` (with `if_not_exists`) or `checked` (a dry run).
    public var outcome: String
    /// Its name.
    public var name: String
    /// Where people reach this server.
    public var publicURL: String

    /// The whole of it.
    public init(outcome: String, name: String, publicURL: String) {
      self.outcome = outcome
      self.name = name
      self.publicURL = publicURL
    }

    enum CodingKeys: String, CodingKey {
      case outcome, name
      case publicURL = "public_url"
    }
  }
}

/// Changes what a tenant is called, or switches it off (no user gets in, nothing is lost) or on.
public enum SetTenantOperation: AdminOperation {
  /// PATCH.
  public static let method = Method.patch
  /// Where it lives.
  public static let path = "/tenants/{tenant}"
  /// What a token must allow.
  public static let scope = AdminScope.tenantWrite
  /// What it does.
  public static let summary = "Change a tenant"

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    public var tenant: String
    /// The name operators see.
    public var displayName: String?
    /// Whether users get in.
    public var enabled: Bool?

    /// The whole of it.
    public init(tenant: String, displayName: String? = nil, enabled: Bool? = nil) {
      self.tenant = tenant
      self.displayName = displayName
      self.enabled = enabled
    }

    enum CodingKeys: String, CodingKey {
      case tenant, enabled
      case displayName = "display_name"
    }
  }

  /// What it answers.
  public typealias Output = TenantSummary
}

/// Removes a disabled tenant and everything in it, for good. An enabled one is refused.
public enum DeleteTenantOperation: AdminOperation {
  /// DELETE.
  public static let method = Method.delete
  /// Where it lives.
  public static let path = "/tenants/{tenant}"
  /// What a token must allow.
  public static let scope = AdminScope.tenantWrite
  /// The status of a success.
  public static let status = 204
  /// What it does.
  public static let summary = "Delete a disabled tenant"

  /// What it takes.
  public typealias Input = TenantReference

  /// What it answers.
  public typealias Output = Nothing
}
