// Where people are signed in, as operations of the admin API.

/// One place where a person is signed in.
public struct PersonSession: Codable, Hashable, Sendable {
  /// The session's id.
  public var id: String
  /// What the device calls itself.
  public var device: String?
  /// Where they signed in there, roughly, if the server was told to know places.
  public var place: String?
  /// When the person signed in there.
  public var createdAt: Timestamp
  /// When it was last used.
  public var lastSeenAt: Timestamp

  /// The whole of it.
  public init(
    id: String, device: String? = nil, place: String? = nil, createdAt: Timestamp, lastSeenAt: Timestamp
  ) {
    self.id = id
    self.device = device
    self.place = place
    self.createdAt = createdAt
    self.lastSeenAt = lastSeenAt
  }

  enum CodingKeys: String, CodingKey {
    case id, device, place
    case createdAt = "created_at"
    case lastSeenAt = "last_seen_at"
  }
}

/// Where a person is signed in, newest first.
public enum ListPersonSessionsOperation: AdminOperation {
  /// GET.
  public static let method = Method.get
  /// Where it lives.
  public static let path = "/tenants/{tenant}/users/{user}/sessions"
  /// What a token must allow.
  public static let scope = AdminScope.userRead
  /// What it does.
  public static let summary = "List where a person is signed in"

  /// What it takes.
  public typealias Input = PersonReference

  /// What it answers.
  public struct Output: Codable, Hashable, Sendable {
    /// Newest first.
    public var items: [PersonSession]

    /// The whole of it.
    public init(items: [PersonSession]) {
      self.items = items
    }
  }
}

/// Ends a person's sessions, all or one.
public enum RevokeSessionsOperation: AdminOperation {
  /// DELETE.
  public static let method = Method.delete
  /// Where it lives.
  public static let path = "/tenants/{tenant}/users/{user}/sessions"
  /// What a token must allow.
  public static let scope = AdminScope.userWrite
  /// The status of a success.
  public static let status = 204
  /// What it does.
  public static let summary = "End a person's sessions"

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    public var tenant: String
    /// The person's address or id.
    public var user: String
    /// Only this one.
    public var session: String?

    /// The whole of it.
    public init(tenant: String, user: String, session: String? = nil) {
      self.tenant = tenant
      self.user = user
      self.session = session
    }
  }

  /// What it answers.
  public typealias Output = Nothing
}
