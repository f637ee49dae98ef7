// Push tokens of a tenant's people, for the app's backend that notifies them.

/// The push token of a device that is signed in.
public struct PushAddress: Codable, Hashable, Sendable {
  /// Whose device it is: the person's id.
  public var user: String
  /// The push service: `apns` or `fcm`.
  public var platform: String
  /// What that service knows the device by.
  public var token: String

  /// The whole of it.
  public init(user: String, platform: String, token: String) {
    self.user = user
    self.platform = platform
    self.token = token
  }
}

/// The push tokens of people's living sessions. A person who is signed out, disabled, deleted or unknown has none.
public enum ListPushTokensOperation: AdminOperation {
  /// POST: ids of a thousand people do not fit into a query.
  public static let method = Method.post
  /// Where it lives.
  public static let path = "/tenants/{tenant}/push-tokens"
  /// What a token must allow.
  public static let scope = AdminScope.pushRead
  /// What it does.
  public static let summary = "Read the push tokens of people's living sessions"

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    public var tenant: String
    /// Ids of people, 1 to 1000.
    public var users: [String]
    /// How many at most, 1 to 1000; 1000 by default.
    public var limit: Int?
    /// Where to go on with the same people: the `next_cursor` of the answer before.
    public var cursor: String?

    /// The whole of it.
    public init(tenant: String, users: [String], limit: Int? = nil, cursor: String? = nil) {
      self.tenant = tenant
      self.users = users
      self.limit = limit
      self.cursor = cursor
    }
  }

  /// What it answers.
  public struct Output: Codable, Hashable, Sendable {
    /// In the order of people's ids; a token that several sessions of a person have stands once in an answer.
    public var items: [PushAddress]
    /// What to send as `cursor` for the items after these; absent with the last ones.
    public var nextCursor: String?

    /// The whole of it.
    public init(items: [PushAddress], nextCursor: String? = nil) {
      self.items = items
      self.nextCursor = nextCursor
    }

    enum CodingKeys: String, CodingKey {
      case items
      case nextCursor = "next_cursor"
    }
  }
}

/// Removes a push token that the push service rejected. The session goes on, and its app may register another token.
public enum RemovePushTokenOperation: AdminOperation {
  /// DELETE.
  public static let method = Method.delete
  /// Where it lives.
  public static let path = "/tenants/{tenant}/push-tokens"
  /// What a token must allow.
  public static let scope = AdminScope.pushWrite
  /// The token travels in the body: a query is written to logs.
  public static let form = AdminForm.body
  /// What it does.
  public static let summary = "Remove a push token that the push service rejected"

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    public var tenant: String
    /// Whose token it is: the person's id.
    public var user: String
    /// The token, as it was read.
    public var token: String

    /// The whole of it.
    public init(tenant: String, user: String, token: String) {
      self.tenant = tenant
      self.user = user
      self.token = token
    }
  }

  /// What it answers.
  public struct Output: Codable, Hashable, Sendable {
    /// How many sessions had it; none where it was replaced or removed before.
    public var removed: Int

    /// The whole of it.
    public init(removed: Int) { self.removed = removed }
  }
}
