/// A person's own record, as they see it (an administrator sees the same).
public struct User: Codable, Hashable, Sendable {
  /// A UUID that never changes.
  public var id: String
  /// The address as it was normalised.
  public var email: String
  /// Whether the user has proved to read mail at that address.
  public var emailVerified: Bool
  /// Whether an operator switched the account off.
  public var disabled: Bool
  /// Fields by the names of the tenant's policy.
  public var profile: Profile
  /// Online or when last seen.
  public var presence: Presence
  /// Linked accounts at other services.
  public var links: [Link]
  /// When the account was made.
  public var createdAt: Timestamp
  /// When it last changed.
  public var updatedAt: Timestamp

  /// A person's record.
  public init(
    id: String, email: String, emailVerified: Bool, disabled: Bool, profile: Profile, presence: Presence,
    links: [Link], createdAt: Timestamp, updatedAt: Timestamp
  ) {
    self.id = id
    self.email = email
    self.emailVerified = emailVerified
    self.disabled = disabled
    self.profile = profile
    self.presence = presence
    self.links = links
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }

  enum CodingKeys: String, CodingKey {
    case id, email, disabled, profile, presence, links
    case emailVerified = "email_verified"
    case createdAt = "created_at"
    case updatedAt = "updated_at"
  }
}

/// Whether a person is there.
public struct Presence: Codable, Hashable, Sendable {
  /// Whether the app did not set the person offline and a living session made a request within the policy's `presence.idle`.
  public var online: Bool
  /// When the person was last there. Absent before the first sign-in.
  public var lastSeen: Timestamp?

  /// A presence.
  public init(online: Bool, lastSeen: Timestamp?) {
    self.online = online
    self.lastSeen = lastSeen
  }

  enum CodingKeys: String, CodingKey {
    case online
    case lastSeen = "last_seen"
  }
}

/// An account at another service that is linked to this one.
public struct Link: Codable, Hashable, Sendable {
  /// The provider's name in the policy.
  public var provider: String
  /// What the person allowed there.
  public var scopes: [String]
  /// When it was linked.
  public var linkedAt: Timestamp
  /// True when the other service does not honour it any more, so that it has to be linked again; absent otherwise.
  public var isBroken: Bool?

  /// A link.
  public init(provider: String, scopes: [String], linkedAt: Timestamp, isBroken: Bool? = nil) {
    self.provider = provider
    self.scopes = scopes
    self.linkedAt = linkedAt
    self.isBroken = isBroken
  }

  enum CodingKeys: String, CodingKey {
    case provider, scopes
    case linkedAt = "linked_at"
    case isBroken = "broken"
  }
}

/// What other users of the same tenant see of a person.
public struct PublicUser: Codable, Hashable, Sendable {
  /// The person's id.
  public var id: String
  /// The fields that the policy shows to users.
  public var profile: Profile
  /// Online or when last seen; absent where the policy does not show it to users.
  public var presence: Presence?

  /// A public profile.
  public init(id: String, profile: Profile, presence: Presence?) {
    self.id = id
    self.profile = profile
    self.presence = presence
  }
}

/// A device as it introduces itself.
public struct Device: Codable, Hashable, Sendable {
  /// What the person calls it, 100 characters at most.
  public var name: String?
  /// What an earlier session answer gave it to keep; a device that brings it back is no new one.
  public var id: String?

  /// A device.
  public init(name: String?, id: String? = nil) {
    self.name = name
    self.id = id
  }
}
