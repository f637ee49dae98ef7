/// A person's own record, as they see it (an administrator sees the same).
package struct User: Codable, Hashable, Sendable {
  /// A UUID that never changes.
  package var id: String
  /// The address as it was normalised; absent for a user who has none.
  package var email: String?
  /// Whether an operator switched the account off.
  package var disabled: Bool
  /// Fields by the names of the tenant's policy.
  package var profile: Profile
  /// Online or when last seen.
  package var presence: Presence
  /// Linked accounts at other services.
  package var links: [Link]
  /// Whether the user has proved to read mail at that address.
  package var emailVerified: Bool
  /// When the account was made.
  package var createdAt: Timestamp
  /// When it last changed.
  package var updatedAt: Timestamp

  /// A person's record.
  package init(
    id: String, email: String?, emailVerified: Bool, disabled: Bool, profile: Profile, presence: Presence,
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
}

/// Whether a person is there.
package struct Presence: Codable, Hashable, Sendable {
  /// Whether the app did not set the person offline and a living session made a request within the policy's
  /// `presence.idle`.
  package var online: Bool
  /// When the person was last there. Absent before the first sign-in.
  package var lastSeen: Timestamp?

  /// A presence.
  package init(online: Bool, lastSeen: Timestamp?) { (self.online, self.lastSeen) = (online, lastSeen) }
}

/// An account at another service that is linked to this one.
package struct Link: Codable, Hashable, Sendable {
  /// The provider's name in the policy.
  package var provider: String
  /// The scopes that the person granted there.
  package var scopes: [String]
  /// When it was linked.
  package var linkedAt: Timestamp
  /// True when the other service does not honour it any more, so that it has to be linked again; absent otherwise.
  package var isBroken: Bool?

  /// A link.
  package init(provider: String, scopes: [String], linkedAt: Timestamp, isBroken: Bool? = nil) {
    (self.provider, self.scopes, self.linkedAt, self.isBroken) = (provider, scopes, linkedAt, isBroken)
  }

  enum CodingKeys: String, CodingKey {
    case provider, scopes, linkedAt
    case isBroken = "broken"
  }
}

/// A person as other users of the same tenant see them.
package struct PublicUser: Codable, Hashable, Sendable {
  /// The person's id.
  package var id: String
  /// The fields that the policy shows to users.
  package var profile: Profile
  /// Online or when last seen; absent where the policy does not show it to users.
  package var presence: Presence?

  /// A public profile.
  package init(id: String, profile: Profile, presence: Presence?) {
    (self.id, self.profile, self.presence) = (id, profile, presence)
  }
}

/// A device as it introduces itself.
package struct Device: Codable, Hashable, Sendable {
  /// The name that the person gives it, 100 characters at most.
  package var name: String?
  /// The mark from an earlier session answer; a device that sends it is no new one.
  package var id: String?

  /// A device.
  package init(name: String?, id: String? = nil) { (self.name, self.id) = (name, id) }
}
