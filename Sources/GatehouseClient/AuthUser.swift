public import Foundation
import GatehousePolicy
import GatehouseWire

/// Profile fields by the names that the tenant's policy gives them.
public typealias Profile = [String: ProfileValue]

/// A value of a profile field.
public enum ProfileValue: Sendable, Hashable, Codable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  /// No value. In an update it clears the field.
  case null
  /// A truth value.
  case boolean(Bool)
  /// A whole number.
  case integer(Int64)
  /// A text: strings, telephone numbers, addresses, days, and choices.
  case string(String)

  /// A text.
  public init(stringLiteral value: String) { self = .string(value) }
  /// A whole number.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// A truth value.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  /// No value.
  public init(nilLiteral: ()) { self = .null }

  /// The text, when it is one.
  public var string: String? { if case .string(let text) = self { text } else { nil } }
  /// The number, when it is one.
  public var integer: Int? { if case .integer(let number) = self { Int(exactly: number) } else { nil } }
  /// The truth value, when it is one.
  public var boolean: Bool? { if case .boolean(let flag) = self { flag } else { nil } }

  /// A value of a later server that no case of today can hold reads as `null`.
  public init(from decoder: any Decoder) throws { self.init(try FieldValue(from: decoder)) }

  /// As JSON.
  public func encode(to encoder: any Encoder) throws { try wire.encode(to: encoder) }

  init(_ value: FieldValue) {
    self =
      switch value {
      case .null, .unsupported: .null
      case .boolean(let flag): .boolean(flag)
      case .integer(let number): .integer(number)
      case .string(let text): .string(text)
      }
  }

  var wire: FieldValue {
    switch self {
    case .null: .null
    case .boolean(let flag): .boolean(flag)
    case .integer(let number): .integer(number)
    case .string(let text): .string(text)
    }
  }
}

/// The signed-in person's own record.
public struct AuthUser: Sendable, Hashable, Identifiable, Codable {
  /// The account's id, which never changes.
  public var id: String
  /// The address that the person signs in with; nil for a person who has none.
  public var email: String?
  /// Whether the address was confirmed.
  public var isEmailVerified: Bool
  /// The profile fields that the policy shows to their owner.
  public var profile: Profile
  /// The presence of the person.
  public var presence: UserPresence
  /// Linked accounts at providers.
  public var links: [ProviderLink]
  /// The time at which the account was made.
  public var createdAt: Date
  /// The time of the record's last change.
  public var updatedAt: Date

  /// A record.
  public init(
    id: String, email: String?, isEmailVerified: Bool = false, profile: Profile = [:],
    presence: UserPresence = UserPresence(isOnline: true, lastSeen: nil), links: [ProviderLink] = [], createdAt: Date,
    updatedAt: Date
  ) {
    self.id = id
    self.email = email
    self.isEmailVerified = isEmailVerified
    self.profile = profile
    self.presence = presence
    self.links = links
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }

  /// The value of a profile field.
  public subscript(field: String) -> ProfileValue? { profile[field] }

  /// Whether an account at this provider is linked and works.
  public func isLinked(_ provider: String) -> Bool { links.contains { $0.provider == provider && !$0.isBroken } }
}

/// A person as other users of the app may see them.
public struct PublicProfile: Sendable, Hashable, Identifiable, Codable {
  /// The account's id.
  public var id: String
  /// The profile fields that the policy shows to other users.
  public var profile: Profile
  /// Whether the person is online, where the policy shows it to other users.
  public var presence: UserPresence?

  /// Creates a profile as other users see it.
  public init(id: String, profile: Profile, presence: UserPresence? = nil) {
    self.id = id
    self.profile = profile
    self.presence = presence
  }

  /// The value of a profile field.
  public subscript(field: String) -> ProfileValue? { profile[field] }
}

/// The presence of a person.
public struct UserPresence: Sendable, Hashable, Codable {
  /// Whether the person is online now.
  public var isOnline: Bool
  /// The time at which the person was last seen; nil for a person who never was.
  public var lastSeen: Date?

  /// A presence.
  public init(isOnline: Bool, lastSeen: Date?) {
    self.isOnline = isOnline
    self.lastSeen = lastSeen
  }
}

/// A linked account at a provider.
public struct ProviderLink: Sendable, Hashable, Codable {
  /// The provider's name in the policy.
  public var provider: String
  /// The scopes that the person granted there.
  public var scopes: [String]
  /// The time of the link.
  public var linkedAt: Date
  /// The provider refuses the grant: the person has to link the account again.
  public var isBroken: Bool

  /// A link.
  public init(provider: String, scopes: [String] = [], linkedAt: Date, isBroken: Bool = false) {
    self.provider = provider
    self.scopes = scopes
    self.linkedAt = linkedAt
    self.isBroken = isBroken
  }
}

extension AuthUser {
  init(_ user: User) {
    self.init(
      id: user.id, email: user.email, isEmailVerified: user.emailVerified,
      profile: user.profile.mapValues(ProfileValue.init), presence: UserPresence(user.presence),
      links: user.links.map {
        ProviderLink(
          provider: $0.provider, scopes: $0.scopes, linkedAt: $0.linkedAt.date, isBroken: $0.isBroken == true)
      }, createdAt: user.createdAt.date, updatedAt: user.updatedAt.date)
  }
}

extension PublicProfile {
  init(_ user: PublicUser) {
    self.init(
      id: user.id, profile: user.profile.mapValues(ProfileValue.init), presence: user.presence.map(UserPresence.init))
  }
}

extension UserPresence {
  init(_ presence: Presence) { self.init(isOnline: presence.online, lastSeen: presence.lastSeen?.date) }
}
