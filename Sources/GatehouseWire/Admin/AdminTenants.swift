// Tenants, as operations of the admin API.

/// A tenant in a list.
public struct TenantSummary: Codable, Hashable, Sendable {
  /// Its name in paths.
  public var name: String
  /// The name operators see.
  public var displayName: String
  /// Whether users get in.
  public var enabled: Bool
  /// When it was made.
  public var createdAt: Timestamp

  /// The whole of it.
  public init(name: String, displayName: String, enabled: Bool, createdAt: Timestamp) {
    self.name = name
    self.displayName = displayName
    self.enabled = enabled
    self.createdAt = createdAt
  }

  enum CodingKeys: String, CodingKey {
    case name, enabled
    case displayName = "display_name"
    case createdAt = "created_at"
  }
}

/// The tenants that the token is for, by name.
public enum ListTenantsOperation: AdminOperation {
  /// GET.
  public static let method = Method.get
  /// Where it lives.
  public static let path = "/tenants"
  /// What a token must allow.
  public static let scope = AdminScope.tenantRead
  /// What it does.
  public static let summary = "List tenants"

  /// What it takes.
  public typealias Input = PageRequest

  /// What it answers.
  public struct Output: Codable, Hashable, Sendable {
    /// By name.
    public var items: [TenantSummary]
    /// What to send as `cursor` for the items after these; absent with the last ones.
    public var nextCursor: String?

    /// The whole of it.
    public init(items: [TenantSummary], nextCursor: String? = nil) {
      self.items = items
      self.nextCursor = nextCursor
    }

    enum CodingKeys: String, CodingKey {
      case items
      case nextCursor = "next_cursor"
    }
  }
}

/// One tenant: its addresses, policy revision and people.
public enum ShowTenantOperation: AdminOperation {
  /// GET.
  public static let method = Method.get
  /// Where it lives.
  public static let path = "/tenants/{tenant}"
  /// What a token must allow.
  public static let scope = AdminScope.tenantRead
  /// What it does.
  public static let summary = "Show a tenant"

  /// What it takes.
  public typealias Input = TenantReference

  /// What it answers.
  public struct Output: Codable, Hashable, Sendable {
    /// Its name in paths.
    public var name: String
    /// The name operators see.
    public var displayName: String
    /// Whether users get in.
    public var enabled: Bool
    /// The issuer of its tokens.
    public var issuer: String
    /// The live policy revision.
    public var revision: Int
    /// SHA-256 of that revision's text, in hexadecimal.
    public var digest: String
    /// How many people it has.
    public var accounts: Int
    /// When it was made.
    public var createdAt: Timestamp

    /// The whole of it.
    public init(
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

    enum CodingKeys: String, CodingKey {
      case name, enabled, issuer, revision, digest, accounts
      case displayName = "display_name"
      case createdAt = "created_at"
    }
  }
}
