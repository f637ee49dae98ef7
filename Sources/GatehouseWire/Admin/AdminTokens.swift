// The tokens of this API themselves.

/// A token, without what proves it.
public struct AdminTokenSummary: Codable, Hashable, Sendable {
  /// Its name, which the audit trail shows as the actor.
  public var name: String
  /// What it allows.
  public var scopes: [AdminScope]
  /// The tenants it is for; absent for all.
  public var tenants: [String]?
  /// When it was made.
  public var createdAt: Timestamp
  /// Who made it.
  public var createdBy: String
  /// When it ends by itself.
  public var expiresAt: Timestamp
  /// When it was last used, to the minute.
  public var lastUsedAt: Timestamp?
  /// When it was revoked.
  public var revokedAt: Timestamp?

  /// The whole of it.
  public init(
    name: String, scopes: [AdminScope], tenants: [String]? = nil, createdAt: Timestamp, createdBy: String,
    expiresAt: Timestamp, lastUsedAt: Timestamp? = nil, revokedAt: Timestamp? = nil
  ) {
    self.name = name
    self.scopes = scopes
    self.tenants = tenants
    self.createdAt = createdAt
    self.createdBy = createdBy
    self.expiresAt = expiresAt
    self.lastUsedAt = lastUsedAt
    self.revokedAt = revokedAt
  }

  enum CodingKeys: String, CodingKey {
    case name, scopes, tenants
    case createdAt = "created_at"
    case createdBy = "created_by"
    case expiresAt = "expires_at"
    case lastUsedAt = "last_used_at"
    case revokedAt = "revoked_at"
  }
}

/// Every token whose reach lies within the caller's, revoked and expired ones included.
public enum ListAdminTokensOperation: AdminOperation {
  /// GET.
  public static let method = Method.get
  /// Where it lives.
  public static let path = "/tokens"
  /// What a token must allow.
  public static let scope = AdminScope.tokenRead
  /// What it does.
  public static let summary = "List admin tokens"

  /// What it takes.
  public typealias Input = PageRequest

  /// What it answers.
  public struct Output: Codable, Hashable, Sendable {
    /// By name.
    public var items: [AdminTokenSummary]
    /// What to send as `cursor` for the items after these; absent with the last ones.
    public var nextCursor: String?

    /// The whole of it.
    public init(items: [AdminTokenSummary], nextCursor: String? = nil) {
      self.items = items
      self.nextCursor = nextCursor
    }

    enum CodingKeys: String, CodingKey {
      case items
      case nextCursor = "next_cursor"
    }
  }
}

/// A new token. It can allow no more, and live no longer, than the one that makes it.
public enum CreateAdminTokenOperation: AdminOperation {
  /// POST.
  public static let method = Method.post
  /// Where it lives.
  public static let path = "/tokens"
  /// What a token must allow.
  public static let scope = AdminScope.tokenWrite
  /// The status of a success.
  public static let status = 201
  /// What it does.
  public static let summary = "Make an admin token"

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// 1 to 63 lower-case letters, digits and inner hyphens; never used before.
    public var name: String
    /// What it allows; a write scope allows reading too.
    public var scopes: [AdminScope]
    /// The tenants it is for; absent for all, those made later included.
    public var tenants: [String]?
    /// Seconds until it ends: 60 to a year; 90 days without.
    public var expiresIn: Int?

    /// The whole of it.
    public init(name: String, scopes: [AdminScope], tenants: [String]? = nil, expiresIn: Int? = nil) {
      self.name = name
      self.scopes = scopes
      self.tenants = tenants
      self.expiresIn = expiresIn
    }

    enum CodingKeys: String, CodingKey {
      case name, scopes, tenants
      case expiresIn = "expires_in"
    }
  }

  /// What it answers.
  public struct Output: Codable, Hashable, Sendable {
    /// What proves it. Only its SHA-256 is kept: this is the one time it is shown.
    public var token: String
    /// What was made.
    public var item: AdminTokenSummary

    /// The whole of it.
    public init(token: String, item: AdminTokenSummary) {
      self.token = token
      self.item = item
    }
  }
}

/// Ends a token with all that it made, and what those made: from the next call on they are refused everywhere.
public enum RevokeAdminTokenOperation: AdminOperation {
  /// DELETE.
  public static let method = Method.delete
  /// Where it lives.
  public static let path = "/tokens/{name}"
  /// What a token must allow.
  public static let scope = AdminScope.tokenWrite
  /// What it does.
  public static let summary = "Revoke an admin token and those that it made"

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// Its name.
    public var name: String

    /// The whole of it.
    public init(name: String) {
      self.name = name
    }
  }

  /// What it answers.
  public struct Output: Codable, Hashable, Sendable {
    /// The names of the tokens that went with it: those that it made, and what those made.
    public var alsoRevoked: [String]

    /// The whole of it.
    public init(alsoRevoked: [String]) {
      self.alsoRevoked = alsoRevoked
    }

    enum CodingKeys: String, CodingKey {
      case alsoRevoked = "also_revoked"
    }
  }
}
