// The counters behind a tenant's limits, as operations of the admin API.

/// One counter that runs.
public struct LimitCount: Codable, Hashable, Sendable {
  /// The limit's name, as a refusal has it in `limit`.
  public var name: String
  /// Who is counted: a keyed hash of an address or mailbox, `tenant`, or an account's id.
  public var key: String
  /// How much is counted.
  public var count: Int
  /// How much is allowed; absent for a limit that the live policy does not set.
  public var most: Int?
  /// When the count ends.
  public var endsAt: Timestamp

  /// The whole of it.
  public init(name: String, key: String, count: Int, most: Int? = nil, endsAt: Timestamp) {
    self.name = name
    self.key = key
    self.count = count
    self.most = most
    self.endsAt = endsAt
  }

  enum CodingKeys: String, CodingKey {
    case name, key, count, most
    case endsAt = "ends_at"
  }
}

/// A tenant's counters that run, in the order of their names and keys. Counters that a server keeps in its memory are not among them.
public enum ListLimitsOperation: AdminOperation {
  /// GET.
  public static let method = Method.get
  /// Where it lives.
  public static let path = "/tenants/{tenant}/limits"
  /// What a token must allow.
  public static let scope = AdminScope.userRead
  /// What it does.
  public static let summary = "List what is counted against limits"

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    public var tenant: String
    /// Only this limit, as `sign_up_per_ip`.
    public var name: String?
    /// Only what is counted for this IP address, or for its /64.
    public var address: String?
    /// Only what is counted for this mailbox or person: an address, or a person's id.
    public var user: String?
    /// How many at most.
    public var limit: Int?
    /// Where to go on: the `next_cursor` of the answer before.
    public var cursor: String?

    /// The whole of it.
    public init(
      tenant: String, name: String? = nil, address: String? = nil, user: String? = nil, limit: Int? = nil,
      cursor: String? = nil
    ) {
      self.tenant = tenant
      self.name = name
      self.address = address
      self.user = user
      self.limit = limit
      self.cursor = cursor
    }
  }

  /// What it answers.
  public struct Output: Codable, Hashable, Sendable {
    /// In the order of names and keys.
    public var items: [LimitCount]
    /// What to send as `cursor` for the items after these; absent with the last ones.
    public var nextCursor: String?

    /// The whole of it.
    public init(items: [LimitCount], nextCursor: String? = nil) {
      self.items = items
      self.nextCursor = nextCursor
    }

    enum CodingKeys: String, CodingKey {
      case items
      case nextCursor = "next_cursor"
    }
  }
}

/// Counts again from zero what the three members name together; one of them is required.
public enum ClearLimitsOperation: AdminOperation {
  /// POST.
  public static let method = Method.post
  /// Where it lives.
  public static let path = "/tenants/{tenant}/limits/clear"
  /// What a token must allow.
  public static let scope = AdminScope.userWrite
  /// What it does.
  public static let summary = "Count again from zero"

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    public var tenant: String
    /// This limit, as `sign_up_per_ip`.
    public var name: String?
    /// What is counted for this IP address, or for its /64.
    public var address: String?
    /// What is counted for this mailbox or person: an address, or a person's id.
    public var user: String?

    /// The whole of it.
    public init(tenant: String, name: String? = nil, address: String? = nil, user: String? = nil) {
      self.tenant = tenant
      self.name = name
      self.address = address
      self.user = user
    }
  }

  /// What it answers.
  public struct Output: Codable, Hashable, Sendable {
    /// How many counters were set to zero: 10,000 at most, then call again.
    public var cleared: Int

    /// The whole of it.
    public init(cleared: Int) { self.cleared = cleared }
  }
}

/// Lets a person in again who is kept out by wrong passwords: what they wait for, and a password that is disabled.
public enum UnlockPersonOperation: AdminOperation {
  /// POST.
  public static let method = Method.post
  /// Where it lives.
  public static let path = "/tenants/{tenant}/users/{user}/unlock"
  /// What a token must allow.
  public static let scope = AdminScope.userWrite
  /// The status of a success.
  public static let status = 204
  /// What it does.
  public static let summary = "Forget a person's wrong passwords"

  /// What it takes.
  public typealias Input = PersonReference

  /// What it answers.
  public typealias Output = Nothing
}
