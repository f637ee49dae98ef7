// People, as operations of the admin API.

public import GatehousePolicy

/// A person in a list.
public struct UserSummary: Codable, Hashable, Sendable {
  /// A UUID that never changes.
  public var id: String
  /// The address as it was normalised.
  public var email: String
  /// Whether a user has proved to read mail at that address.
  public var emailVerified: Bool
  /// Whether an operator switched the account off.
  public var disabled: Bool
  /// When the account was made.
  public var createdAt: Timestamp

  /// The whole of it.
  public init(id: String, email: String, emailVerified: Bool, disabled: Bool, createdAt: Timestamp) {
    self.id = id
    self.email = email
    self.emailVerified = emailVerified
    self.disabled = disabled
    self.createdAt = createdAt
  }

  enum CodingKeys: String, CodingKey {
    case id, email, disabled
    case emailVerified = "email_verified"
    case createdAt = "created_at"
  }
}

/// A person as operators see them.
public struct UserRecord: Codable, Hashable, Sendable {
  /// A UUID that never changes.
  public var id: String
  /// The address as it was normalised.
  public var email: String
  /// Whether a user has proved to read mail at that address.
  public var emailVerified: Bool
  /// Whether an operator switched the account off.
  public var disabled: Bool
  /// Fields by the names of the tenant's policy.
  public var profile: [String: FieldValue]
  /// As the app last said.
  public var online: Bool
  /// When the person was last there.
  public var lastSeen: Timestamp?
  /// The newest sign-in, sign-up included; absent where there was none.
  public var lastSignIn: LastSignIn?
  /// When the account was made.
  public var createdAt: Timestamp

  /// The whole of it.
  public init(
    id: String, email: String, emailVerified: Bool, disabled: Bool, profile: [String: FieldValue], online: Bool,
    lastSeen: Timestamp? = nil, lastSignIn: LastSignIn? = nil, createdAt: Timestamp
  ) {
    self.id = id
    self.email = email
    self.emailVerified = emailVerified
    self.disabled = disabled
    self.profile = profile
    self.online = online
    self.lastSeen = lastSeen
    self.lastSignIn = lastSignIn
    self.createdAt = createdAt
  }

  enum CodingKeys: String, CodingKey {
    case id, email, disabled, profile, online
    case emailVerified = "email_verified"
    case lastSeen = "last_seen"
    case lastSignIn = "last_sign_in"
    case createdAt = "created_at"
  }
}

/// A sign-in, as the audit trail has it; it outlives its session.
public struct LastSignIn: Codable, Hashable, Sendable {
  /// When.
  public var at: Timestamp
  /// `password` or `provider`; absent where the trail does not say.
  public var method: String?
  /// The device's name, as long as the session is stored: a month beyond its end.
  public var device: String?
  /// Roughly where, likewise, where the server knows places.
  public var place: String?

  /// The whole of it.
  public init(at: Timestamp, method: String? = nil, device: String? = nil, place: String? = nil) {
    self.at = at
    self.method = method
    self.device = device
    self.place = place
  }
}

/// A tenant's people, newest first. An answer takes seconds at most: with `failing` it may hold fewer than asked for and go on all the same.
public enum ListPeopleOperation: AdminOperation {
  /// GET.
  public static let method = Method.get
  /// Where it lives.
  public static let path = "/tenants/{tenant}/users"
  /// What a token must allow.
  public static let scope = AdminScope.userRead
  /// What it does.
  public static let summary = "List a tenant's people"

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    public var tenant: String
    /// Only addresses that contain this.
    public var query: String?
    /// Only those whose stored values break this rule of the live policy.
    public var failing: String?
    /// How many at most.
    public var limit: Int?
    /// Where to go on: the `next_cursor` of the answer before.
    public var cursor: String?

    /// The whole of it.
    public init(tenant: String, query: String? = nil, failing: String? = nil, limit: Int? = nil, cursor: String? = nil)
    {
      self.tenant = tenant
      self.query = query
      self.failing = failing
      self.limit = limit
      self.cursor = cursor
    }
  }

  /// What it answers.
  public struct Output: Codable, Hashable, Sendable {
    /// Newest first.
    public var items: [UserSummary]
    /// What to send as `cursor` for the items after these; absent with the last ones.
    public var nextCursor: String?

    /// The whole of it.
    public init(items: [UserSummary], nextCursor: String? = nil) {
      self.items = items
      self.nextCursor = nextCursor
    }

    enum CodingKeys: String, CodingKey {
      case items
      case nextCursor = "next_cursor"
    }
  }
}

/// One person.
public enum ShowPersonOperation: AdminOperation {
  /// GET.
  public static let method = Method.get
  /// Where it lives.
  public static let path = "/tenants/{tenant}/users/{user}"
  /// What a token must allow.
  public static let scope = AdminScope.userRead
  /// What it does.
  public static let summary = "Show a person"

  /// What it takes.
  public typealias Input = PersonReference

  /// What it answers.
  public typealias Output = UserRecord
}

/// Makes an account without a password and mails its owner a link to choose one.
public enum CreatePersonOperation: AdminOperation {
  /// POST.
  public static let method = Method.post
  /// Where it lives.
  public static let path = "/tenants/{tenant}/users"
  /// What a token must allow.
  public static let scope = AdminScope.userWrite
  /// What it does.
  public static let summary = "Make an account"

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    public var tenant: String
    /// The address.
    public var email: String
    /// Profile fields by the names of the tenant's policy; null clears one.
    public var profile: [String: FieldValue]?
    /// The same as typed: `role=admin`, read by the field's type; `role=` clears it.
    public var fields: [String]?
    /// Do everything but the change itself.
    public var dryRun: Bool?

    /// The whole of it.
    public init(
      tenant: String, email: String, profile: [String: FieldValue]? = nil, fields: [String]? = nil, dryRun: Bool? = nil
    ) {
      self.tenant = tenant
      self.email = email
      self.profile = profile
      self.fields = fields
      self.dryRun = dryRun
    }

    enum CodingKeys: String, CodingKey {
      case tenant, email, profile, fields
      case dryRun = "dry_run"
    }
  }

  /// What it answers.
  public struct Output: Codable, Hashable, Sendable {
    /// The account's id; absent after a dry run.
    public var id: String?
    /// The address as it was normalised.
    public var email: String
    /// Whether a link to set a password was mailed: not where the policy has no passwords. Absent after a dry run, and in answers
    /// of servers before it was said, which always mailed one.
    public var mailed: Bool?

    /// The whole of it.
    public init(id: String? = nil, email: String, mailed: Bool? = nil) {
      self.id = id
      self.email = email
      self.mailed = mailed
    }
  }
}

/// Sets profile fields, those that only administrators write included; switches the account off, which ends its sessions, or on.
public enum ChangePersonOperation: AdminOperation {
  /// PATCH.
  public static let method = Method.patch
  /// Where it lives.
  public static let path = "/tenants/{tenant}/users/{user}"
  /// What a token must allow.
  public static let scope = AdminScope.userWrite
  /// What it does.
  public static let summary = "Change a person"

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    public var tenant: String
    /// The person's address or id.
    public var user: String
    /// Profile fields by the names of the tenant's policy; null clears one.
    public var profile: [String: FieldValue]?
    /// The same as typed: `role=admin`, read by the field's type; `role=` clears it.
    public var fields: [String]?
    /// Switches the account off, or on again.
    public var disabled: Bool?

    /// The whole of it.
    public init(
      tenant: String, user: String, profile: [String: FieldValue]? = nil, fields: [String]? = nil, disabled: Bool? = nil
    ) {
      self.tenant = tenant
      self.user = user
      self.profile = profile
      self.fields = fields
      self.disabled = disabled
    }
  }

  /// What it answers.
  public typealias Output = UserRecord
}

/// Deletes an account and all that belongs to it, for good.
public enum DeletePersonOperation: AdminOperation {
  /// DELETE.
  public static let method = Method.delete
  /// Where it lives.
  public static let path = "/tenants/{tenant}/users/{user}"
  /// What a token must allow.
  public static let scope = AdminScope.userWrite
  /// The status of a success.
  public static let status = 204
  /// What it does.
  public static let summary = "Delete a person"

  /// What it takes.
  public typealias Input = PersonReference

  /// What it answers.
  public typealias Output = Nothing
}

/// Takes a person's address as proven.
public enum VerifyPersonOperation: AdminOperation {
  /// POST.
  public static let method = Method.post
  /// Where it lives.
  public static let path = "/tenants/{tenant}/users/{user}/verify-email"
  /// What a token must allow.
  public static let scope = AdminScope.userWrite
  /// The status of a success.
  public static let status = 204
  /// What it does.
  public static let summary = "Take an address as proven"

  /// What it takes.
  public typealias Input = PersonReference

  /// What it answers.
  public typealias Output = Nothing
}

/// Mails a person a link to set a new password.
public enum ResetPersonOperation: AdminOperation {
  /// POST.
  public static let method = Method.post
  /// Where it lives.
  public static let path = "/tenants/{tenant}/users/{user}/send-reset"
  /// What a token must allow.
  public static let scope = AdminScope.userWrite
  /// The status of a success.
  public static let status = 204
  /// What it does.
  public static let summary = "Mail a link to set a password"

  /// What it takes.
  public typealias Input = PersonReference

  /// What it answers.
  public typealias Output = Nothing
}
