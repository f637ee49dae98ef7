/// Reads one user of the tenant: what the policy shows to users, or the whole record for an administrator.
public enum ReadUserEndpoint: Endpoint {
  /// Its row.
  public static let row = EndpointRow(
    .get, "/v1/users/{id}", 200, "Read another user of the app",
    refuses: [.notFound, .accessLimited])

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The user's id.
    public var id: String

    /// The whole of it.
    public init(id: String) {
      self.id = id
    }
  }

  /// What it answers.
  public typealias Output = UserView
}

/// Reads several users by id; finds some by what the policy's `directory` allows; or, as an administrator, searches them.
public enum ListUsersEndpoint: Endpoint {
  /// Its row.
  public static let row = EndpointRow(
    .get, "/v1/users", 200, "Read users by id, find them, or list them as an administrator",
    refuses: [.accessLimited, .forbidden, .reauthenticationRequired])

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// Up to 100 ids, separated by commas.
    public var ids: String?
    /// A whole address. Finds its owner, where the policy has `directory: {find_by: [email]}` and the address is proven.
    public var email: String?
    /// A whole username. Finds its owner, where the policy has `find_by: [username]`.
    public var username: String?
    /// 2 to 64 code points that a name begins with, without case and marks. Finds up to 20 users, where the policy has
    /// `find_by: [prefix]`.
    public var prefix: String?
    /// Administrators: part of an address.
    public var query: String?
    /// Administrators: 1 to 100, 50 without it.
    public var limit: String?
    /// Administrators: `next_cursor` of the page before.
    public var cursor: String?

    /// The whole of it.
    public init(
      ids: String? = nil, email: String? = nil, username: String? = nil, prefix: String? = nil, query: String? = nil,
      limit: String? = nil, cursor: String? = nil
    ) {
      self.ids = ids
      self.email = email
      self.username = username
      self.prefix = prefix
      self.query = query
      self.limit = limit
      self.cursor = cursor
    }
  }

  /// What it answers.
  public struct Output: Codable, Hashable, Sendable {
    /// The users found.
    public var items: [UserView]
    /// Asks for the next page. Absent on the last.
    public var nextCursor: String?

    /// The whole of it.
    public init(items: [UserView], nextCursor: String? = nil) {
      self.items = items
      self.nextCursor = nextCursor
    }

    enum CodingKeys: String, CodingKey {
      case items
      case nextCursor = "next_cursor"
    }
  }
}

/// Changes a user as an administrator of the tenant.
public enum UpdateUserEndpoint: Endpoint {
  /// Its row.
  public static let row = EndpointRow(
    .patch, "/v1/users/{id}", 200, "Change a user as an administrator",
    refuses: [.notFound, .accessLimited, .forbidden, .reauthenticationRequired, .validationFailed])

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The user's id.
    public var id: String
    /// Only the fields to change.
    public var profile: Profile?
    /// Switches the account off or on.
    public var disabled: Bool?

    /// The whole of it.
    public init(id: String, profile: Profile? = nil, disabled: Bool? = nil) {
      self.id = id
      self.profile = profile
      self.disabled = disabled
    }
  }

  /// What it answers.
  public typealias Output = MeAnswer
}
